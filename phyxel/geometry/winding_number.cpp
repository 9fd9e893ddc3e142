// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/winding_number.h>
#include <phyxel/search/walk_stack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr double four_pi = 4 * std::numbers::pi;

/// What rounding may add to a sum of many solid angles.
constexpr double rounding_error = 1e-10;

/// Cells are expanded only where r ≥ closest R.
constexpr double closest = 1.5;

/// Σ_{k≥3} (k + 1) ρ^(k−3); see Expansion.
double tail(double rho) { return (4 - 3 * rho) / ((1 - rho) * (1 - rho)); }

/// Tangent of half a solid angle, as a quotient.
struct HalfAngle {
    double sine, cosine;
};

HalfAngle half_angle(const Triangle& triangle, const Vec<3>& x)
{
    const Vec<3> a = triangle.a - x;
    const Vec<3> b = triangle.b - x;
    const Vec<3> c = triangle.c - x;
    const double a_length = a.norm();
    const double b_length = b.norm();
    const double c_length = c.norm();
    const double determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                               a[2] * (b[0] * c[1] - b[1] * c[0]);
    return {determinant,
            a_length * b_length * c_length + a.dot(b) * c_length + b.dot(c) * a_length + c.dot(a) * b_length};
}

/// Sum of angles as the argument of a product of complex numbers: an arc tangent takes longer than all the
/// rest of an angle, and this way there is one in a sum.
class AngleSum {
public:
    void add(const HalfAngle& angle)
    {
        // Lengths do not matter, and their product must not overflow. At a corner there is no angle.
        const double size = std::abs(angle.sine) + std::abs(angle.cosine);
        if (!(size > 0.0)) return;
        const double scale = 1.0 / size;
        const double s = scale * angle.sine;
        const double c = scale * angle.cosine;
        const double sine = sine_ * c + cosine_ * s;
        const double cosine = cosine_ * c - sine_ * s;
        // Two angles of one sign may add up to more than π, and two that are π to a whole turn.
        const bool is_whole = sine == 0.0 && cosine > 0.0 && cosine_ < 0.0;
        if (sine_ >= 0.0 && s >= 0.0 && (sine < 0.0 || is_whole)) turns_ += 1.0;
        if (sine_ < 0.0 && s < 0.0 && sine >= 0.0) turns_ -= 1.0;
        sine_ = sine;
        cosine_ = cosine;
        // Every factor is between 0.7 and 1 long.
        constexpr double short_length = 1e-100;
        if (std::abs(sine_) + std::abs(cosine_) > short_length) return;
        sine_ /= short_length;
        cosine_ /= short_length;
    }

    double value() const { return std::atan2(sine_, cosine_) + 2.0 * std::numbers::pi * turns_; }

private:
    double sine_ = 0.0;
    double cosine_ = 1.0;
    double turns_ = 0.0;
};

} // namespace

double winding_number(const Triangle& triangle, const Vec<3>& x)
{
    const HalfAngle half = half_angle(triangle, x);
    return 2 * std::atan2(half.sine, half.cosine) / four_pi;
}

double winding_number(const TriangleMesh& mesh, const Vec<3>& x)
{
    return ordered_sum(mesh.triangles.size(), [&](Index t) {
        const auto& [a, b, c] = mesh.triangles[t];
        return winding_number(Triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, x);
    });
}

/// The triangles of a cell as seen from afar. With d = p − x for the cell's centre p, y = (place on the
/// surface) − p and g = 1/|d|,
///
///     4π w(x) = −∫ n · ∇g(d + y) dA
///             = −N · ∇g − M : ∇∇g − ½ T ⋮ ∇∇∇g − …,   N = ∫ n dA, M = ∫ n yᵀ dA, T = ∫ n y y dA.
///
/// g is harmonic, so only the symmetric traceless parts M′ and T′ matter, and
///
///     4π w(x) ≈ N·d / r³ − 3 M′(d, d) / r⁵ + (15/2) T′(d, d, d) / r⁷.
///
/// [BDS*18] chooses cells by r > 2R and has no bound of the error. The term with y^k is the derivative of
/// |y|^(k+1) P_{k+1}(cos γ) / r^(k+2), and (k+1)² P² + P′² ≤ (k+1)² by the inequality of Bernstein and Szegő:
/// it is at most (k + 1) ∫|y|^k dA / r^(k+2). With |y| ≤ R the rest is below tail(R/r) ∫|y|³ dA / r⁵, and
/// cells are chosen by that.
struct WindingNumber::Expansion {
    Vec<3> center = Vec<3>::Zero();
    double nearest = 0.0; ///< square of the distance from which on the error is allowed
    Vec<3> first = Vec<3>::Zero();
    std::array<double, 6> second = {}; ///< of xx, yy, zz, xy, xz, yz
    std::array<double, 10> third = {}; ///< of xxx, yyy, zzz, xxy, xxz, xyy, yyz, xzz, yzz, xyz
    double error = 0.0;                ///< the error is this / r⁵

    static Expansion of(std::span<const Triangle> triangles, double cell_error)
    {
        Expansion result;
        double area = 0.0;
        for (const Triangle& triangle : triangles) {
            const double weight = triangle.area_vector().norm();
            area += weight;
            result.center += weight * triangle.centroid();
        }
        result.center = area > 0 ? (result.center / area).eval() : triangles.front().a;

        double radius = 0.0;
        double remainder =
            0.0; // ∫ |y|³ dA or a little more: |y|³ is convex, so its mean is below the corners'
        Mat<3> M = Mat<3>::Zero();
        std::array<Mat<3>, 3> T = {Mat<3>::Zero(), Mat<3>::Zero(), Mat<3>::Zero()};
        for (const Triangle& triangle : triangles) {
            const Vec<3> a = triangle.a - result.center;
            const Vec<3> b = triangle.b - result.center;
            const Vec<3> c = triangle.c - result.center;
            const Vec<3> n = triangle.area_vector();
            const Vec<3> mean = (a + b + c) / 3.0;
            const Mat<3> square =
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + 9 * mean * mean.transpose()) /
                12;
            result.first += n;
            M += n * mean.transpose();
            for (int i = 0; i < 3; ++i) T[i] += n[i] * square;
            double cubes = 0.0;
            for (const double length : {a.norm(), b.norm(), c.norm()}) {
                radius = std::max(radius, length);
                cubes += length * length * length;
            }
            remainder += n.norm() * cubes / 3;
        }

        const double trace = M.trace() / 3;
        result.second = {M(0, 0) - trace,   M(1, 1) - trace,   M(2, 2) - trace,
                         M(0, 1) + M(1, 0), M(0, 2) + M(2, 0), M(1, 2) + M(2, 1)};

        const auto S = [&](int i, int j, int k) { return (T[i](j, k) + T[j](k, i) + T[k](i, j)) / 3; };
        Vec<3> s;
        for (int k = 0; k < 3; ++k) s[k] = (S(0, 0, k) + S(1, 1, k) + S(2, 2, k)) / 5;
        result.third = {S(0, 0, 0) - 3 * s[0],   S(1, 1, 1) - 3 * s[1],   S(2, 2, 2) - 3 * s[2],
                        3 * (S(0, 0, 1) - s[1]), 3 * (S(0, 0, 2) - s[2]), 3 * (S(0, 1, 1) - s[0]),
                        3 * (S(1, 1, 2) - s[2]), 3 * (S(0, 2, 2) - s[0]), 3 * (S(1, 2, 2) - s[1]),
                        6 * S(0, 1, 2)};

        // The least r with tail(R/r) remainder / (4π r⁵) ≤ cell_error. Seen from a distance that is too large
        // the tail is too small, and the next distance too: every second iterate is on the safe side.
        double distance = closest * radius;
        double nearer = distance;
        for (int iteration = 0; iteration < 2 && radius > 0; ++iteration) {
            const auto reach = [&](double r) {
                return std::max(closest * radius,
                                std::pow(tail(radius / r) * remainder / (four_pi * cell_error), 0.2));
            };
            distance = reach(nearer);
            nearer = reach(distance);
        }
        result.error = radius > 0 ? tail(radius / distance) * remainder / four_pi : 0.0;
        result.nearest = distance * distance;
        return result;
    }

    void store(double* out) const
    {
        out = std::copy_n(center.data(), 3, out);
        *out++ = nearest;
        out = std::copy_n(first.data(), 3, out);
        out = std::copy(second.begin(), second.end(), out);
        out = std::copy(third.begin(), third.end(), out);
        *out = error;
    }
};

WindingNumber::WindingNumber(const TriangleMesh& mesh, const WindingOptions& options)
    : WindingNumber(std::make_shared<const TriangleTree>(mesh), options)
{
}

WindingNumber::WindingNumber(std::shared_ptr<const TriangleTree> tree, const WindingOptions& options)
    : tree_(std::move(tree)),
      is_exact_(options.cell_error == 0)
{
    if (!(options.cell_error >= 0))
        throw InputError("winding number: cell_error is " + detail::text_of(options.cell_error) +
                         ", must be at least 0");
    if (is_exact_ || tree_->is_empty()) return;

    expansions_.resize(coefficient_count * tree_->cell_end());
    parallel_for(
        tree_->cell_end() - 1,
        [&](Index i) {
            const TriangleTree::Cell cell = TriangleTree::root + i;
            const TriangleTree::Range range = tree_->range(cell);
            const auto triangles = tree_->triangles().subspan(range.begin, range.end - range.begin);
            Expansion::of(triangles, options.cell_error).store(&expansions_[coefficient_count * cell]);
        },
        16);
}

/// Cells must be `refinement` times farther away than the options ask for.
WindingValue WindingNumber::sum(const Vec<3>& x, double refinement, Tally& tally) const
{
    double solid_angle = 0.0;
    AngleSum half_angles;
    double error = rounding_error;

    const double farther = refinement * refinement;
    WalkStack<TriangleTree::Cell> pending;
    if (!tree_->is_empty()) pending.push(TriangleTree::root);
    while (!pending.is_empty()) {
        const TriangleTree::Cell cell = pending.pop();
        ++tally.cells;
        if (!is_exact_) {
            const double* e = &expansions_[coefficient_count * cell];
            const double dx = e[0] - x[0];
            const double dy = e[1] - x[1];
            const double dz = e[2] - x[2];
            const double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 > e[3] * farther) {
                const double over_r2 = 1 / r2;
                const double over_r3 = over_r2 * std::sqrt(over_r2);
                const double xx = dx * dx;
                const double yy = dy * dy;
                const double zz = dz * dz;
                const double first = e[4] * dx + e[5] * dy + e[6] * dz;
                const double second =
                    e[7] * xx + e[8] * yy + e[9] * zz + e[10] * dx * dy + e[11] * dx * dz + e[12] * dy * dz;
                const double third = dx * (e[13] * xx + e[18] * yy + e[20] * zz) +
                                     dy * (e[14] * yy + e[16] * xx + e[21] * zz) +
                                     dz * (e[15] * zz + e[17] * xx + e[19] * yy) + e[22] * dx * dy * dz;
                solid_angle += over_r3 * (first + over_r2 * (-3 * second + over_r2 * 7.5 * third));
                error += e[23] * over_r3 * over_r2;
                continue;
            }
        }
        if (tree_->is_leaf(cell)) {
            ++tally.leaves;
            const TriangleTree::Range range = tree_->range(cell);
            for (std::size_t i = range.begin; i < range.end; ++i)
                half_angles.add(half_angle(tree_->triangles()[i], x));
        } else {
            pending.push(2 * cell);
            pending.push(2 * cell + 1);
        }
    }
    return {(solid_angle + 2 * half_angles.value()) / four_pi, error};
}

WindingValue WindingNumber::evaluate(const Vec<3>& x) const
{
    detail::require_finite_query<3>(x);
    Tally tally;
    return sum(x, 1.0, tally);
}

bool WindingNumber::inside(const Vec<3>& x) const
{
    Tally tally;
    return inside(x, tally);
}

double WindingNumber::work(const Vec<3>& x) const
{
    Tally tally;
    static_cast<void>(inside(x, tally));
    // The angle of a triangle takes as long as a handful of boxes.
    constexpr double leaf_work = 10.0;
    return static_cast<double>(tally.cells) + leaf_work * static_cast<double>(tally.leaves);
}

bool WindingNumber::inside(const Vec<3>& x, Tally& tally) const
{
    detail::require_finite_query<3>(x);
    WindingValue w = sum(x, 1.0, tally);
    // Where most triangles were near already, all of them take no longer than a better guess.
    const bool are_most_near = 4 * TriangleTree::leaf_size * tally.leaves > tree_->size();
    // Each doubling divides the error bound by 2⁵; after the last, no cell is far enough.
    for (double refinement = 2.0; std::abs(w.value - 0.5) <= w.error; refinement *= 2) {
        if (refinement > 16 || are_most_near) {
            w = sum(x, std::numeric_limits<double>::infinity(), tally);
            break;
        }
        w = sum(x, refinement, tally);
    }
    return w.value > 0.5;
}

void WindingNumber::evaluate(std::span<const Vec<3>> x, std::span<double> out) const
{
    PHYXEL_ASSERT(x.size() == out.size());
    parallel_for(
        x.size(), [&](Index i) { out[i] = evaluate(x[i]).value; }, 128);
}

void WindingNumber::inside(std::span<const Vec<3>> x, std::span<std::uint8_t> out) const
{
    PHYXEL_ASSERT(x.size() == out.size());
    parallel_for(
        x.size(), [&](Index i) { out[i] = inside(x[i]) ? 1 : 0; }, 128);
}

} // namespace phyxel
