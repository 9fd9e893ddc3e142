// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/coat_skin.h>

#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/geometry/surface_points.h>
#include <phyxel/io/state_sections.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace phyxel {
namespace {

/// Phyxels may move so far against each other before their way is noted, in spacings.
constexpr double largest_motion = 0.5;

/// What is nearer to a wall than half of this, in spacings, lies on it.
constexpr double touch = 0.3;

CoatOptions options_of(const SolidCoat& coat, double spacing)
{
    return {.radius = coat.radius, .spacing = spacing, .blobbiness = coat.blobbiness, .frame = coat.frame};
}

CoatOptions options_of_shown(const SolidCoat& coat, double spacing)
{
    CoatOptions options = options_of(coat, spacing);
    options.is_shown_already = true;
    return options;
}

} // namespace

SolidSkin skin_with_coat(const Shape<3>& shape, const SolidCoat& coat, const WorkBudget& work)
{
    const SurfacePoints<3> points = surface_points(shape, coat.radius, work);
    SolidSkin skin;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points.area[i].isZero(0.0)) continue;
        skin.vertices.push_back(points.position[i]);
        skin.normals.push_back(points.area[i]);
    }
    skin.coat = coat;
    return skin;
}

double coat_spacing(const PhyxelCloud<3>& phyxels)
{
    const std::vector<double>& volumes = phyxels.volumes;
    if (volumes.empty()) return phyxels.spacing;
    return std::cbrt(ordered_sum(volumes.size(), 0.0, [&](Index i) { return volumes[i]; }) /
                     static_cast<double>(volumes.size()));
}

CoatSkin::CoatSkin(const SolidCoat& coat, double spacing, std::vector<std::uint64_t> phyxel_ids)
    : ids_(std::move(phyxel_ids)),
      spacing_(spacing),
      coat_(CoatState{}, options_of(coat, spacing))
{
}

// Where a place was at rest is what is carried along.
CoatSkin::CoatSkin(const SolidSkin& skin, std::span<const Vec<3>> phyxels, double spacing,
                   std::vector<std::uint64_t> phyxel_ids)
    : ids_(std::move(phyxel_ids)),
      spacing_(spacing),
      coat_(skin.vertices, skin.normals, skin.vertices, phyxels, options_of(*skin.coat, spacing)),
      before_(phyxels.begin(), phyxels.end())
{
}

CoatSkin::CoatSkin(const SolidSkin& skin, std::span<const Vec<3>> points, std::span<const Vec<3>> normals,
                   std::span<const Vec<3>> phyxels, double spacing, std::vector<std::uint64_t> phyxel_ids,
                   double time)
    : ids_(std::move(phyxel_ids)),
      spacing_(spacing),
      coat_(points, normals, skin.vertices, phyxels, options_of_shown(*skin.coat, spacing)),
      before_(phyxels.begin(), phyxels.end()),
      time_(time)
{
}

void CoatSkin::follow(std::uint64_t kept, std::uint64_t fresh, const Vec<3>& way)
{
    const auto found = std::find(ids_.begin(), ids_.end(), kept);
    if (found == ids_.end()) return;
    const std::ptrdiff_t place = found - ids_.begin();
    ids_.push_back(fresh);
    const auto halve = [&](std::vector<Vec<3>>& places) {
        Vec<3>& whole = places[static_cast<std::size_t>(place)];
        const Vec<3> other = whole + way;
        whole -= way;
        places.push_back(other);
    };
    halve(before_);
    for (std::vector<Vec<3>>& places : between_) halve(places);
}

bool CoatSkin::ends_frame(double time) const
{
    const auto frames = [&](double t) { return std::floor(t / coat_.options().frame + 1e-6); };
    return frames(time) > frames(time_);
}

void CoatSkin::note_way(std::span<const Vec<3>> phyxels)
{
    if (phyxels.empty()) return;
    const std::vector<Vec<3>>& last = between_.empty() ? before_ : between_.back();
    const Vec<3> mean = ordered_sum(phyxels.size(), Vec<3>(Vec<3>::Zero()),
                                    [&](Index i) { return Vec<3>(phyxels[i] - last[i]); }) /
                        static_cast<double>(phyxels.size());
    std::vector<double> partial;
    const double most = ordered_max(
        phyxels.size(), 0.0, [&](Index i) { return (phyxels[i] - last[i] - mean).squaredNorm(); }, partial);
    if (most > std::pow(largest_motion * spacing_, 2)) between_.emplace_back(phyxels.begin(), phyxels.end());
}

CoatStep CoatSkin::step(const Now& now, bool resamples) const
{
    const double reach = touch * spacing_;
    const Surroundings<3>& surroundings = now.surroundings;
    const Unfelt& unfelt = now.unfelt;
    // What comes near to a wall comes onto it little by little, so that nothing jumps there.
    CoatContact contact = [&surroundings, &unfelt, reach](Vec<3>& x, Vec<3>& normal) {
        Vec<3> moved = x;
        bool touches = false;
        for_each_wall_and_form(surroundings, x, reach, [&](const NearWall<3>& wall) {
            if (!wall.normal.allFinite() || unfelt.has_wall(wall.obstacle)) return;
            const double part = std::clamp(2.0 - 2.0 * wall.distance / reach, 0.0, 1.0);
            moved -= part * wall.distance * wall.normal;
            if (part < 1.0) return;
            normal = -wall.normal;
            touches = true;
        });
        x = moved;
        return touches;
    };
    return {.before = before_,
            .after = now.phyxels,
            .between = between_,
            .phyxels = now.phyxels,
            .others = now.others,
            .others_before = others_before_,
            .sizes = now.sizes,
            .other_sizes_before = other_sizes_before_,
            .fluidity = now.fluidity,
            .dt = now.time - time_,
            .contact = std::move(contact),
            .resamples = resamples};
}

double CoatSkin::advance(const Now& now)
{
    const CoatReport report = coat_.advance(step(now, true));
    between_.clear();
    before_.assign(now.phyxels.begin(), now.phyxels.end());
    others_before_.assign(now.others.begin(), now.others.end());
    other_sizes_before_.clear();
    if (!now.sizes.empty())
        other_sizes_before_.assign(now.sizes.begin() + static_cast<std::ptrdiff_t>(now.phyxels.size()),
                                   now.sizes.end());
    time_ = now.time;
    return report.largest_pop;
}

Coat CoatSkin::at(const Now& now) const
{
    Coat coat = coat_;
    if (now.time > time_) (void)coat.advance(step(now, false));
    return coat;
}

void CoatSkin::save(CheckpointWriter& checkpoint, const std::string& name) const
{
    const CoatState& state = coat_.state();
    save_state(checkpoint, name + "surfel/", state.surfels);
    save_state(checkpoint, name + "zombie/", state.zombies);
    checkpoint.add_value(name + "next_id", state.next_id);
    checkpoint.add_value(name + "round", state.round);
    checkpoint.add(name + "phyxel", before_);
    std::vector<Vec<3>> between;
    for (const std::vector<Vec<3>>& moment : between_)
        between.insert(between.end(), moment.begin(), moment.end());
    checkpoint.add(name + "between", between);
    checkpoint.add(name + "other", others_before_);
    if (!other_sizes_before_.empty()) checkpoint.add(name + "other_size", other_sizes_before_);
    checkpoint.add_value(name + "time", time_);
}

bool CoatSkin::is_in(const CheckpointReader& checkpoint, const std::string& name)
{
    return checkpoint.contains(name + "round");
}

void CoatSkin::load(const CheckpointReader& checkpoint, const std::string& name,
                    std::vector<std::uint64_t> phyxel_ids)
{
    CoatState state;
    load_state(checkpoint, name + "surfel/", state.surfels);
    load_state(checkpoint, name + "zombie/", state.zombies);
    state.next_id = checkpoint.value<std::uint64_t>(name + "next_id");
    state.round = checkpoint.value<std::uint64_t>(name + "round");
    auto before = checkpoint.section<Vec<3>>(name + "phyxel");
    const auto between = checkpoint.section<Vec<3>>(name + "between");
    auto others = checkpoint.section<Vec<3>>(name + "other");
    std::vector<double> other_sizes;
    if (checkpoint.contains(name + "other_size"))
        other_sizes = checkpoint.section<double>(name + "other_size");
    const auto time = checkpoint.value<double>(name + "time");
    const auto are_finite = [](const std::vector<Vec<3>>& places) {
        return std::all_of(places.begin(), places.end(), [](const Vec<3>& x) { return x.allFinite(); });
    };
    const bool is_right = before.size() == phyxel_ids.size() && time >= 0.0 && std::isfinite(time) &&
                          are_finite(before) && are_finite(others) && are_finite(between) &&
                          (before.empty() ? between.empty() : between.size() % before.size() == 0) &&
                          (other_sizes.empty() || other_sizes.size() == others.size()) &&
                          std::all_of(other_sizes.begin(), other_sizes.end(),
                                      [](double size) { return size > 0.0 && size <= 1.0; });
    if (!is_right) throw InputError("the checkpoint is damaged: the coat of a solid makes no sense");
    coat_ = Coat(std::move(state), coat_.options());
    between_.clear();
    const auto count = static_cast<std::ptrdiff_t>(before.size());
    for (auto from = between.begin(); from != between.end(); from += count)
        between_.emplace_back(from, from + count);
    before_ = std::move(before);
    others_before_ = std::move(others);
    other_sizes_before_ = std::move(other_sizes);
    ids_ = std::move(phyxel_ids);
    time_ = time;
}

} // namespace phyxel
