// SPDX-License-Identifier: MIT
// Fuzz target for the searches: bytes become points, a radius and a cell edge of any kind, and every search
// must find what a plain loop over all points finds or refuse the input with an InputError.
//
// A further search is checked by one more function in `check_all`.

#include <phyxel/core/error.h>
#include <phyxel/core/types.h>
#include <phyxel/search/hash_grid.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/search/neighbor_search.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace phyxel {
namespace {

void require(bool holds)
{
    if (!holds) __builtin_trap();
}

/// Takes bytes from the front; zeros when there are none left.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool is_empty() const { return bytes_.empty(); }

    template <class T>
    T take()
    {
        std::array<std::uint8_t, sizeof(T)> value{};
        const std::size_t size = std::min(sizeof(T), bytes_.size());
        std::copy_n(bytes_.begin(), size, value.begin());
        bytes_ = bytes_.subspan(size);
        return std::bit_cast<T>(value);
    }

    std::uint8_t byte() { return take<std::uint8_t>(); }

    /// Numbers that meet each other: small multiples of a power of two, with or without one bit more or
    /// less, or any pattern of bits at all.
    template <std::floating_point Real>
    Real number()
    {
        const std::uint8_t kind = byte();
        if (kind % 8 == 7) return take<Real>();
        const int exponent = kind % 8 == 6 ? take<std::int16_t>() % 1100 : -3;
        const Real value = static_cast<Real>(std::ldexp(static_cast<double>(take<std::int8_t>()), exponent));
        constexpr Real infinity = std::numeric_limits<Real>::infinity();
        if (kind / 8 % 4 == 1) return std::nextafter(value, infinity);
        if (kind / 8 % 4 == 2) return std::nextafter(value, -infinity);
        return value;
    }

    template <int Dim, std::floating_point Real>
    Vec<Dim, Real> point()
    {
        Vec<Dim, Real> x;
        for (int k = 0; k < Dim; ++k) x[k] = number<Real>();
        return x;
    }

private:
    std::span<const std::uint8_t> bytes_;
};

template <int Dim, std::floating_point Real>
struct Input {
    Real radius;
    Real cell_edge;
    Index leaf_size;
    std::vector<Vec<Dim, Real>> points;
    std::vector<Vec<Dim, Real>> queries;
};

constexpr std::size_t max_point_count = 64;

template <int Dim, std::floating_point Real>
Input<Dim, Real> read_input(ByteReader& bytes)
{
    Input<Dim, Real> input;
    input.radius = bytes.number<Real>();
    input.cell_edge = bytes.number<Real>();
    input.leaf_size = bytes.byte();
    const std::size_t count = bytes.byte() % (max_point_count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        // Equal points are unlikely unless they are made on purpose.
        const std::uint8_t choice = bytes.byte();
        if (choice >= 0xc0 && i > 0)
            input.points.push_back(input.points[choice % i]);
        else
            input.points.push_back(bytes.point<Dim, Real>());
    }
    input.queries = {input.points.begin(), input.points.begin() + std::min<std::size_t>(count, 4)};
    input.queries.push_back(bytes.point<Dim, Real>());
    return input;
}

template <int Dim, std::floating_point Real>
bool is_finite(const Vec<Dim, Real>& x)
{
    return std::all_of(x.begin(), x.end(), [](Real c) { return std::isfinite(c); });
}

template <int Dim, std::floating_point Real>
bool are_finite(const std::vector<Vec<Dim, Real>>& points)
{
    return std::all_of(points.begin(), points.end(),
                       [](const Vec<Dim, Real>& x) { return is_finite<Dim, Real>(x); });
}

/// |a − b| with a wider range of exponents than Real has.
template <int Dim, std::floating_point Real>
long double distance(const Vec<Dim, Real>& a, const Vec<Dim, Real>& b)
{
    long double sum = 0;
    for (int k = 0; k < Dim; ++k) {
        const long double d = static_cast<long double>(a[k]) - static_cast<long double>(b[k]);
        sum += d * d;
    }
    return std::sqrt(sum);
}

/// Which point stands for which id.
template <int Dim, std::floating_point Real>
using Model = std::map<Index, Vec<Dim, Real>>;

template <int Dim, std::floating_point Real>
Model<Dim, Real> model_of(const std::vector<Vec<Dim, Real>>& points)
{
    Model<Dim, Real> model;
    for (std::size_t i = 0; i < points.size(); ++i) model[static_cast<Index>(i)] = points[i];
    return model;
}

/// Everybody who is clearly within the radius, nobody who is clearly not, each once and in order. Where
/// squares neither overflow nor underflow, rounding leaves no choice either.
template <int Dim, std::floating_point Real>
void require_within(const std::vector<Index>& found, const Model<Dim, Real>& model, const Vec<Dim, Real>& x,
                    Real radius)
{
    require(std::is_sorted(found.begin(), found.end()));
    require(std::adjacent_find(found.begin(), found.end()) == found.end());
    constexpr long double tolerance = 8 * std::numeric_limits<Real>::epsilon();
    const Real limit = radius * radius;
    const bool is_ordinary = radius == std::numeric_limits<Real>::infinity() ||
                             (limit < std::sqrt(std::numeric_limits<Real>::max()) &&
                              limit > std::sqrt(std::numeric_limits<Real>::min()));
    std::size_t count = 0;
    for (const auto& [id, p] : model) {
        const bool is_found = std::binary_search(found.begin(), found.end(), id);
        count += is_found;
        const long double r = radius;
        const long double d = distance<Dim, Real>(p, x);
        if (d < r * (1 - tolerance)) require(is_found);
        if (d > r * (1 + tolerance)) require(!is_found);
        if (is_ordinary) {
            Real square = (p[0] - x[0]) * (p[0] - x[0]);
            for (int k = 1; k < Dim; ++k) square = std::fma(p[k] - x[k], p[k] - x[k], square);
            require(is_found == (square <= limit));
        }
    }
    require(count == found.size());
}

/// Calls `attempt` and says whether it went through.
template <class Attempt>
bool is_accepted(Attempt&& attempt)
{
    try {
        attempt();
        return true;
    } catch (const InputError&) {
        return false;
    }
}

template <int Dim, std::floating_point Real>
void check_kd_tree(const Input<Dim, Real>& input)
{
    using Point = Vec<Dim, Real>;
    KdTree<Dim, Real> tree;
    const KdTreeOptions options{input.leaf_size,
                                input.leaf_size % 2 == 0 ? SplitAxis::Widest : SplitAxis::Cycling};
    const bool is_built = is_accepted([&] { tree = KdTree<Dim, Real>(input.points, options); });
    require(is_built == (input.leaf_size > 0 && are_finite<Dim, Real>(input.points)));
    if (!is_built) return;

    const Model<Dim, Real> model = model_of<Dim, Real>(input.points);
    for (const Point& x : input.queries) {
        std::vector<Index> found;
        const bool is_answered = is_accepted([&] { tree.radius(x, input.radius, found); });
        require(is_answered == (is_finite<Dim, Real>(x) && input.radius >= 0));
        if (is_answered) require_within<Dim, Real>(found, model, x, input.radius);

        const std::size_t k = input.leaf_size % (max_point_count + 2);
        std::vector<Neighbor<Real>> near;
        if (!is_accepted([&] { tree.nearest(x, k, near); })) continue;
        require(near.size() == std::min(k, input.points.size()));
        require(std::is_sorted(near.begin(), near.end(), [](const auto& a, const auto& b) {
            return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
        }));
        std::vector<bool> is_near(input.points.size());
        for (const Neighbor<Real>& neighbor : near) {
            require(!is_near[neighbor.id]);
            is_near[neighbor.id] = true;
            const long double d = distance<Dim, Real>(input.points[neighbor.id], x);
            const long double difference = std::abs(d - neighbor.distance);
            require(difference <= 4 * std::numeric_limits<Real>::epsilon() * d +
                                      std::numeric_limits<Real>::denorm_min() ||
                    (d > std::numeric_limits<Real>::max() && std::isinf(neighbor.distance)));
        }
        // Nobody else is nearer than the last one.
        if (near.empty()) continue;
        const long double last = distance<Dim, Real>(input.points[near.back().id], x);
        for (std::size_t i = 0; i < input.points.size(); ++i)
            if (!is_near[i] && std::isfinite(near.back().distance))
                require(distance<Dim, Real>(input.points[i], x) >=
                        last * (1 - 8 * std::numeric_limits<Real>::epsilon()) -
                            std::numeric_limits<Real>::denorm_min());
    }
}

template <int Dim, std::floating_point Real>
void require_grid_equals(const HashGrid<Dim, Real>& grid, const Model<Dim, Real>& model,
                         const Input<Dim, Real>& input)
{
    require(grid.size() == model.size());
    for (const Vec<Dim, Real>& x : input.queries) {
        std::vector<Index> found;
        const bool is_answered = is_accepted([&] { grid.radius(x, input.radius, found); });
        require(is_answered == (is_finite<Dim, Real>(x) && input.radius >= 0));
        if (!is_answered) continue;
        require_within<Dim, Real>(found, model, x, input.radius);

        std::vector<Index> again;
        if (is_accepted([&] { grid.radius(x, input.radius, CellRange::Three, again); }))
            require(again == found);
        if (is_accepted([&] { grid.radius(x, input.radius, CellRange::Two, again); }))
            require(again == found);
        else
            require(input.radius + input.radius > input.cell_edge);
    }
}

template <int Dim, std::floating_point Real>
void check_hash_grid(const Input<Dim, Real>& input)
{
    if (!is_accepted([&] { HashGrid<Dim, Real>(input.cell_edge); })) {
        require(!(input.cell_edge > 0) || std::isinf(input.cell_edge));
        return;
    }
    HashGrid<Dim, Real> grid(input.cell_edge);
    if (is_accepted([&] { grid.assign(input.points); }))
        require_grid_equals<Dim, Real>(grid, model_of<Dim, Real>(input.points), input);
    else
        require(grid.size() == 0);
}

/// Insertions, moves and removals, as long as there are bytes to choose them by.
template <int Dim, std::floating_point Real>
void check_hash_grid_history(const Input<Dim, Real>& input, ByteReader& bytes)
{
    if (!(input.cell_edge > 0) || std::isinf(input.cell_edge)) return;
    HashGrid<Dim, Real> grid(input.cell_edge);
    Model<Dim, Real> model;
    for (int step = 0; step < 200 && !bytes.is_empty(); ++step) {
        const std::uint8_t action = bytes.byte();
        const std::uint8_t choice = bytes.byte();
        // Neighbouring ids and ids that differ in high bits only.
        const Index id = choice % 16 + (static_cast<Index>(choice / 16) << 28);
        const bool is_known = model.contains(id);
        Vec<Dim, Real> x = Vec<Dim, Real>::Zero();
        if (action % 4 < 2) {
            if (!input.points.empty() && action >= 0x40)
                x = input.points[action % input.points.size()];
            else
                x = bytes.point<Dim, Real>();
        }
        const bool has_cell = is_accepted([&] { grid.cell_of(x); });
        if (action % 4 == 0) {
            require(is_accepted([&] { grid.insert(id, x); }) == (!is_known && has_cell));
            if (!is_known && has_cell) model[id] = x;
        } else if (action % 4 == 1) {
            require(is_accepted([&] { grid.move(id, x); }) == (is_known && has_cell));
            if (is_known && has_cell) model[id] = x;
        } else if (action == 0xff) {
            grid.clear();
            model.clear();
        } else {
            require(is_accepted([&] { grid.remove(id); }) == is_known);
            model.erase(id);
        }
        require(grid.contains(id) == model.contains(id));
        require_grid_equals<Dim, Real>(grid, model, input);
    }
}

template <int Dim, std::floating_point Real>
void check_neighbor_lists(const Input<Dim, Real>& input)
{
    using Point = Vec<Dim, Real>;
    NeighborLists lists;
    const auto find = [&] {
        lists = find_neighbors<Dim, Real>(std::span<const Point>(input.points), input.radius);
    };
    if (!is_accepted(find)) return;
    require(are_finite<Dim, Real>(input.points) && input.radius > 0);
    require(lists.size() == input.points.size());
    const Model<Dim, Real> model = model_of<Dim, Real>(input.points);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        std::vector<Index> found(lists.of(i).begin(), lists.of(i).end());
        const Index self = static_cast<Index>(i);
        require(!std::binary_search(found.begin(), found.end(), self));
        found.insert(std::lower_bound(found.begin(), found.end(), self), self);
        require_within<Dim, Real>(found, model, input.points[i], input.radius);
    }
}

template <int Dim, std::floating_point Real>
void check_all(ByteReader& bytes)
{
    const Input<Dim, Real> input = read_input<Dim, Real>(bytes);
    check_kd_tree(input);
    check_neighbor_lists(input);
    check_hash_grid(input);
    check_hash_grid_history(input, bytes);
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::ByteReader bytes({data, size});
    switch (bytes.byte() % 6) {
    case 0:
        phyxel::check_all<1, double>(bytes);
        break;
    case 1:
        phyxel::check_all<2, double>(bytes);
        break;
    case 2:
        phyxel::check_all<3, double>(bytes);
        break;
    case 3:
        phyxel::check_all<1, float>(bytes);
        break;
    case 4:
        phyxel::check_all<2, float>(bytes);
        break;
    default:
        phyxel::check_all<3, float>(bytes);
        break;
    }
    return 0;
}
