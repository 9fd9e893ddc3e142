// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/anisotropic_bells.h>

#include <phyxel/approx/profiles.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/lanes.h>
#include <phyxel/surface/detail/particle_bins.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace phyxel::detail {
namespace {

constexpr double neighborhood = bell_neighborhood;

/// Σ (1 − q²) over a full neighbourhood: ∫ (1 − q²) dx = 8π/15 for the unit ball.
const double full_weight = 8.0 * std::numbers::pi / 15.0 * neighborhood * neighborhood * neighborhood;

/// Variances below this part of the largest one are raised to it, which [YT13] does too.
constexpr double least_variance = 0.25;

/// How strongly radii follow the variances: 1 as in [YT13], ½ for standard deviations. Less flat bells let
/// the layers below a surface overlap enough to leave no hole between them.
constexpr double sharpness = 0.75;

/// Radius of the bell of a particle without neighbours [spacings]. Of all radii it has the largest ball above
/// the level of 3/8, and that ball has the volume of the particle.
constexpr double drop_radius = 1.0737;

/// From this part of a full neighbourhood on the neighbours decide the shape, and below the other one nothing
/// but the particle itself does. A straight line of particles has 0.066, a plane sheet 0.29.
constexpr double shaped_from = 0.06;
constexpr double drop_below = 0.02;

/// Particles around a bin, as arrays of lanes, relative to a corner of it [neighborhoods].
struct Surroundings {
    std::array<std::vector<float>, 3> x;

    void clear()
    {
        for (auto& axis : x) axis.clear();
    }
    /// Fills up the last lanes with particles that are too far away to count.
    void pad()
    {
        for (auto& axis : x)
            while (axis.size() % lane_count != 0) axis.push_back(1e9f);
    }
    std::size_t size() const { return x[0].size(); }
};

Moments moments_around(const Surroundings& around, const Vec<3, float>& x)
{
    Lanes w0{}, wx{}, wy{}, wz{}, wxx{}, wyy{}, wzz{}, wxy{}, wyz{}, wxz{};
    for (std::size_t m = 0; m < around.size(); m += lane_count) {
        const Lanes dx = load_lanes(around.x[0].data() + m) - x[0];
        const Lanes dy = load_lanes(around.x[1].data() + m) - x[1];
        const Lanes dz = load_lanes(around.x[2].data() + m) - x[2];
        const Lanes w = larger(1 - (dx * dx + dy * dy + dz * dz), Lanes{});
        const Lanes ux = w * dx;
        const Lanes uy = w * dy;
        const Lanes uz = w * dz;
        w0 += w;
        wx += ux;
        wy += uy;
        wz += uz;
        wxx += ux * dx;
        wyy += uy * dy;
        wzz += uz * dz;
        wxy += ux * dy;
        wyz += uy * dz;
        wxz += ux * dz;
    }
    Moments moments;
    moments.weight = sum_of(w0);
    moments.first = Vec<3>(sum_of(wx), sum_of(wy), sum_of(wz));
    const double xy = sum_of(wxy);
    const double yz = sum_of(wyz);
    const double xz = sum_of(wxz);
    moments.second << sum_of(wxx), xy, xz, xy, sum_of(wyy), yz, xz, yz, sum_of(wzz);
    return moments;
}

/// Mean of d over the neighbours within the ellipsoid A, d relative to x.
Vec<3> mean_within(const Surroundings& around, const Vec<3, float>& x, const Mat<3, float>& A)
{
    Lanes w0{}, wx{}, wy{}, wz{};
    for (std::size_t m = 0; m < around.size(); m += lane_count) {
        const Lanes dx = load_lanes(around.x[0].data() + m) - x[0];
        const Lanes dy = load_lanes(around.x[1].data() + m) - x[1];
        const Lanes dz = load_lanes(around.x[2].data() + m) - x[2];
        const Lanes q2 = A(0, 0) * dx * dx + A(1, 1) * dy * dy + A(2, 2) * dz * dz +
                         2 * (A(0, 1) * dx * dy + A(1, 2) * dy * dz + A(0, 2) * dx * dz);
        // Nobody outside of the neighbourhood counts, however long the ellipsoid is.
        const Lanes w = larger(1 - q2, Lanes{}) * larger(1 - (dx * dx + dy * dy + dz * dz), Lanes{});
        w0 += w;
        wx += w * dx;
        wy += w * dy;
        wz += w * dz;
    }
    return Vec<3>(sum_of(wx), sum_of(wy), sum_of(wz)) / double(sum_of(w0));
}

double smooth_step(double from, double to, double x)
{
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

Bell bell_of(const Ellipsoid& ellipsoid, double cells_per_spacing)
{
    const Mat<3> A = ellipsoid.form() / (cells_per_spacing * cells_per_spacing);
    Bell bell{static_cast<float>(A(0, 0)),
              static_cast<float>(A(1, 1)),
              static_cast<float>(A(2, 2)),
              static_cast<float>(A(0, 1)),
              static_cast<float>(A(1, 2)),
              static_cast<float>(A(0, 2)),
              static_cast<float>(std::cbrt(bell_weight(std::cbrt(ellipsoid.radii.prod())))),
              {}};
    for (int k = 0; k < 3; ++k)
        bell.reach[static_cast<std::size_t>(k)] = static_cast<float>(
            cells_per_spacing * ellipsoid.axes.row(k).transpose().cwiseProduct(ellipsoid.radii).norm());
    return bell;
}

} // namespace

Ellipsoid ellipsoid_of(const Moments& moments, double support, double alone)
{
    const double fullness = (moments.weight - 1) / full_weight;
    Ellipsoid ellipsoid{Mat<3>::Identity(), Vec<3>::Constant(alone), Vec<3>::Zero(), fullness};
    const double shaped = smooth_step(drop_below, shaped_from, fullness);
    if (shaped == 0) return ellipsoid;

    const Vec<3> mean = moments.first / moments.weight;
    const Mat<3> covariance = moments.second / moments.weight - mean * mean.transpose(); // [YT13]
    Eigen::SelfAdjointEigenSolver<Mat<3>> solver;
    solver.computeDirect(covariance);
    const Vec<3> variances = solver.eigenvalues(); // ascending
    // Particles on top of each other have no shape.
    if (!(variances[2] > 1e-6)) return ellipsoid;

    const Vec<3> bounded = (variances / variances[2]).cwiseMax(least_variance);
    const double mean_variance = std::cbrt(bounded.prod());
    ellipsoid.axes = solver.eigenvectors();
    for (int k = 0; k < 3; ++k) {
        const double radius = support * std::pow(bounded[k] / mean_variance, sharpness);
        ellipsoid.radii[k] = alone + shaped * (radius - alone);
        ellipsoid.pull[k] = shaped * std::clamp((1 - bounded[k]) / 0.6, 0.0, 1.0);
    }
    return ellipsoid;
}

double bell_weight(double mean_radius)
{
    return 1.0 / (Poly6Profile::integral<3>() * mean_radius * mean_radius * mean_radius);
}

ShapedParticles shape_particles(std::span<const Vec<3>> positions, double spacing, double support,
                                double cell)
{
    // Bins two spacings wide hold about eight particles, which share one list of those around them.
    const double unit = neighborhood * spacing;
    const double bin_cell = 2.0 * spacing / SparseField::block_edge;
    const ParticleBins sorted(positions, bin_cell);
    const std::span<const ParticleBins::Bin> bins = sorted.bins();
    constexpr std::int32_t reach = 2; // bins of two spacings, for a neighbourhood of three
    static_assert(2 * reach >= neighborhood);

    ShapedParticles shaped;
    shaped.centers.resize(positions.size());
    shaped.bells.resize(positions.size());
    parallel_for_blocks(bins.size(), 16, [&](const Block& part) {
        Surroundings around;
        for (std::size_t b = part.begin; b < part.end; ++b) {
            const ParticleBins::Bin& bin = bins[b];
            const Vec<3> low = SparseField::block_edge * Vec<3>(bin.block[0], bin.block[1], bin.block[2]);
            const double margin = unit / bin_cell;
            around.clear();
            GridIndex first, last;
            for (std::size_t k = 0; k < 3; ++k) {
                first[k] = bin.block[k] - reach;
                last[k] = bin.block[k] + reach;
            }
            const auto relative = [&](Index n) -> Vec<3> {
                return Vec<3>(sorted.coordinate(0)[n], sorted.coordinate(1)[n], sorted.coordinate(2)[n]) -
                       low;
            };
            sorted.for_each_run(first, last, [&](Index begin, Index end) {
                for (Index n = begin; n < end; ++n) {
                    const Vec<3> x = relative(n);
                    if ((x.array() < -margin).any() || (x.array() > SparseField::block_edge + margin).any())
                        continue;
                    for (int k = 0; k < 3; ++k)
                        around.x[static_cast<std::size_t>(k)].push_back(static_cast<float>(x[k] / margin));
                }
            });
            around.pad();
            for (Index n = bin.begin; n < bin.end; ++n) {
                const Vec<3, float> x = (relative(n) / margin).cast<float>();
                const Ellipsoid ellipsoid = ellipsoid_of(moments_around(around, x), support, drop_radius);
                Vec<3> center = positions[sorted.order()[n]];
                if ((ellipsoid.pull.array() > 0).any()) {
                    const Mat<3> A = ellipsoid.form() * (neighborhood * neighborhood);
                    const Vec<3> towards = mean_within(around, x, A.cast<float>());
                    center += unit * (ellipsoid.axes *
                                      ellipsoid.pull.cwiseProduct(ellipsoid.axes.transpose() * towards));
                }
                shaped.centers[sorted.order()[n]] = center;
                shaped.bells[sorted.order()[n]] = bell_of(ellipsoid, spacing / cell);
            }
        }
    });
    return shaped;
}

} // namespace phyxel::detail
