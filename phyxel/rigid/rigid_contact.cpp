// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_contact.h>

#include <phyxel/geometry/rigid_motion.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace phyxel {
namespace {

/// Bodies that are nearer than this share of their size touch, as far as it matters who rests on whom.
constexpr double touching_share = 1e-3;

/// Normals with a smaller angle than this between them belong to one area of contact.
constexpr double same_normal = 0.95;

/// Points nearer than this share of the size are as far out as each other.
constexpr double same_place_share = 1e-3;

/// A point this share of the size farther in tells which face of the other an edge or corner lies on.
constexpr double inset_share = 0.05;

/// Whether the nearest point is where φ says. It may say less than the distance for intersections and
/// differences, where there is nothing behind the place that it leads to, such as the lid of a cup.
template <int Dim>
bool is_true_distance(const Shape<Dim>& shape, const Vec<Dim>& X, const SignedDistance<Dim>& nearest,
                      double size)
{
    if (nearest.value < 0.0) return true;
    const double behind = 1e-3 * size;
    return shape.signed_distance(X - (nearest.value + behind) * nearest.normal) < 0.0;
}

/// How far the images of a body are from it, by their numbers: in base 3, a digit for each axis.
template <int Dim>
Vec<Dim> image_way(const PeriodicBox<Dim>& periodic, std::uint8_t image)
{
    Vec<Dim> way = Vec<Dim>::Zero();
    for (int k = 0; k < Dim; ++k, image /= 3)
        way[k] = image % 3 == 1 ? periodic.length[k] : image % 3 == 2 ? -periodic.length[k] : 0.0;
    return way;
}

template <int Dim>
std::uint8_t image_count()
{
    return Dim == 3 ? 27 : 9;
}

} // namespace

template <int Dim>
typename RigidContactSearch<Dim>::Thing RigidContactSearch<Dim>::moved(const Thing& thing,
                                                                       const Vec<Dim>& way)
{
    Thing there = thing;
    there.pose.translation += way;
    if constexpr (Dim == 3) there.box.pose.translation += way;
    return there;
}

/// Rooms as they are within the domain, and their images where other rooms are.
template <int Dim>
void RigidContactSearch<Dim>::add_images(const PeriodicBox<Dim>& periodic, const RigidState<Dim>& state)
{
    Box<Dim> all;
    for (Moving& moving : moving_) {
        const Vec<Dim> way = periodic.way_back(state.position[moving.body]);
        moving.room.min += way;
        moving.room.max += way;
        all.extend(moving.room);
    }
    const std::size_t count = moving_.size();
    for (std::size_t n = 0; n < count; ++n)
        for (std::uint8_t image = 1; image < image_count<Dim>(); ++image) {
            const Vec<Dim> way = image_way<Dim>(periodic, image);
            bool is_new = true; // no axis that is not periodic has a digit
            std::uint8_t rest = image;
            for (int k = 0; k < Dim; ++k, rest /= 3) is_new &= rest % 3 == 0 || periodic.is_periodic(k);
            Moving there = moving_[n];
            there.image = image;
            there.room.min += way;
            there.room.max += way;
            if (is_new && !overlap(there.room, all).is_empty()) moving_.push_back(there);
        }
}

/// Where points of one are nearer to the other than the margin.
template <int Dim>
void RigidContactSearch<Dim>::find_points(const Thing& points_of, const Thing& other, double margin,
                                          bool is_of_first)
{
    const double radius = points_of.points->radius;
    std::optional<Shape<Dim>> filled; // see core/fault.h
    if (fault_ == Fault::FilledHoles) filled = other.shape->parts().front();
    const Shape<Dim>& shape = filled ? *filled : *other.shape;
    const Box<Dim>& bounds = other.shape->bounds();
    const double size = bounds.longest_side();
    const bool may_be_less = other.points->is_combined && !filled;
    const Pose<Dim> to_other = other.pose.inverse().after(points_of.pose);
    const Vec<Dim> middle = to_other.apply(points_of.shape->bounds().center());
    const double inset = inset_share * points_of.shape->bounds().shortest_side();
    for (std::size_t n = 0; n < points_of.points->places.size(); ++n) {
        const Vec<Dim> X = to_other.apply(points_of.points->places[n]);
        if (bounds.distance(X) >= margin + radius) continue;
        SignedDistance<Dim> nearest = shape.sample(X);
        double gap = nearest.value - radius;
        if (!(gap < margin)) continue;
        if (may_be_less && !is_true_distance(shape, X, nearest, size)) continue;
        // Of what is put together the middle says nothing of where a point's inside is.
        if (radius == 0.0 && !points_of.points->is_combined && !other.shape->is_sheet() &&
            std::abs(gap) < inset) {
            // At an edge of the other the nearest face may be any. What lies farther in knows which one it
            // stands on.
            const Vec<Dim> inwards = (middle - X).normalized();
            const SignedDistance<Dim> inner = shape.sample(Vec<Dim>(X + inset * inwards));
            const SignedDistance<Dim> inmost = shape.sample(Vec<Dim>(X + 2.0 * inset * inwards));
            const bool is_flat = inner.normal.dot(inmost.normal) > 1.0 - 1e-9;
            const double along = inner.value - inset * inwards.dot(inner.normal);
            if (inner.value > 0.0 && is_flat && along < margin) {
                nearest.normal = inner.normal;
                gap = along;
            }
        }
        Found found;
        found.normal = other.pose.rotation * nearest.normal;
        found.place = other.pose.apply(X) - radius * found.normal;
        found.gap = gap;
        found.point = 2 * n + (is_of_first ? 0 : 1);
        found.is_of_first = is_of_first;
        if (!is_of_first) {
            found.place -= gap * found.normal;
            found.normal = -found.normal;
        }
        found_.push_back(found);
    }
}

/// Walks on the surface of a body to where it is deepest in the other: points are few, and a wheel is to
/// roll on its rim.
template <int Dim>
void RigidContactSearch<Dim>::refine(const Thing& first, const Thing& second, Found& found) const
{
    const Thing& own = found.is_of_first ? first : second;
    const Thing& other = found.is_of_first ? second : first;
    if (own.points->radius > 0.0 || own.shape->is_sheet() || other.shape == nullptr) return;
    const double way = 0.5 * own.shape->bounds().shortest_side();
    const double sign = found.is_of_first ? 1.0 : -1.0;
    Vec<Dim> x = found.is_of_first ? found.place : Vec<Dim>(found.place + found.gap * -found.normal);
    constexpr int steps = 8;
    for (int n = 0; n < steps; ++n) {
        const Vec<Dim> X = own.pose.apply_inverse(Vec<Dim>(x - sign * way * found.normal));
        const SignedDistance<Dim> back = own.shape->sample(X);
        if (!(back.value > 0.0)) return;
        const Vec<Dim> next = own.pose.apply(Vec<Dim>(X - back.value * back.normal));
        const SignedDistance<Dim> there = other.shape->sample(other.pose.apply_inverse(next));
        const Vec<Dim> normal = sign * (other.pose.rotation * there.normal);
        // It must lead deeper, and on along the same face.
        if (!(there.value < found.gap - 1e-12 * way) || normal.dot(found.normal) < same_normal) return;
        const double moved = (next - x).norm();
        x = next;
        found.normal = normal;
        found.gap = there.value;
        found.place = found.is_of_first ? x : Vec<Dim>(x + there.value * normal);
        if (moved < 1e-9 * way) return;
    }
}

/// Of each area of contact, points with a common normal, those that are farthest out in all directions and
/// the deepest: they carry a body as all of them would.
template <int Dim>
void RigidContactSearch<Dim>::choose(double same_place)
{
    chosen_.clear();
    is_taken_.assign(found_.size(), 0);
    std::vector<std::size_t>& area = area_;
    std::vector<std::size_t>& kept = kept_;
    for (std::size_t n = 0; n < found_.size(); ++n) {
        if (is_taken_[n] != 0) continue;
        area.clear();
        const Vec<Dim> normal = found_[n].normal;
        for (std::size_t m = n; m < found_.size(); ++m)
            if (is_taken_[m] == 0 && found_[m].normal.dot(normal) > same_normal) {
                is_taken_[m] = 1;
                area.push_back(m);
            }
        kept.clear();
        const auto keep = [&](const auto& value) {
            // Of several that are as good, the first: so it is the same one in the next step.
            std::size_t best = area.front();
            for (const std::size_t m : area)
                if (value(found_[m]) > value(found_[best]) + same_place) best = m;
            if (std::find(kept.begin(), kept.end(), best) == kept.end()) kept.push_back(best);
        };
        Vec<Dim> u = Vec<Dim>::Zero();
        if (fault_ == Fault::OnePointContacts) {
            // Nothing but the deepest.
        } else if constexpr (Dim == 2) {
            u = Vec<2>(-normal[1], normal[0]);
            for (const double sign : {1.0, -1.0})
                keep([&](const Found& found) { return sign * u.dot(found.place); });
        } else {
            int axis = 0;
            for (int k = 1; k < 3; ++k)
                if (std::abs(normal[k]) < std::abs(normal[axis]) - 1e-6) axis = k;
            u = (Vec<3>::Unit(axis) - normal[axis] * normal).normalized();
            const Vec<3> v = moment(normal, u);
            // Slightly askew, so that corners of boxes along the axes are no ties.
            for (int k = 0; k < 8; ++k) {
                const double angle = 0.7853981633974483 * k + 0.3;
                const Vec<3> direction = std::cos(angle) * u + std::sin(angle) * v;
                keep([&](const Found& found) { return direction.dot(found.place); });
            }
        }
        keep([](const Found& found) { return -found.gap; });
        std::sort(kept.begin(), kept.end());
        for (const std::size_t m : kept) chosen_.push_back(found_[m]);
    }
}

template <int Dim>
typename RigidContactSearch<Dim>::Thing RigidContactSearch<Dim>::thing_at(const Shape<Dim>& shape,
                                                                          const ContactPoints<Dim>& points,
                                                                          const Pose<Dim>& pose)
{
    Thing thing{&shape, &points, pose, {}};
    if constexpr (Dim == 3)
        if (points.box) thing.box = {pose.after(points.box->pose), points.box->half_size};
    return thing;
}

/// Where the two are nearer to each other than the margin, into `chosen_`. `way` is that of the second
/// against the first in the step.
template <int Dim>
void RigidContactSearch<Dim>::meet(const Thing& first, const Thing& second, const Vec<Dim>& way,
                                   double margin, double size)
{
    chosen_.clear();
    if constexpr (Dim == 3)
        if (first.points->box && second.points->box) {
            const BoxContacts contacts = box_contacts(first.box, second.box, way, margin);
            for (const BoxContact& contact : contacts.contacts())
                chosen_.push_back({contacts.normal, contact.place, contact.gap, contact.point, true});
            if (fault_ == Fault::OnePointContacts && chosen_.size() > 1) chosen_.resize(1);
            return;
        }
    found_.clear();
    find_points(first, second, margin, true);
    find_points(second, first, margin, false);
    if (found_.empty()) return;
    choose(same_place_share * size);
    for (Found& found : chosen_) refine(first, second, found);
}

/// Pairs whose rooms overlap, by sweeping along the axis along which the bodies are spread most.
template <int Dim>
void RigidContactSearch<Dim>::find_pairs(const IgnoredPairs& ignored)
{
    pairs_.clear();
    if (moving_.empty()) return;
    Vec<Dim> mean = Vec<Dim>::Zero();
    for (const Moving& moving : moving_) mean += moving.room.center();
    mean /= static_cast<double>(moving_.size());
    Vec<Dim> spread = Vec<Dim>::Zero();
    for (const Moving& moving : moving_) spread += (moving.room.center() - mean).cwiseAbs2();
    int axis = 0;
    for (int k = 1; k < Dim; ++k)
        if (spread[k] > spread[axis]) axis = k;
    const auto comes_before = [axis](const Moving& a, const Moving& b) {
        return a.room.min[axis] != b.room.min[axis] ? a.room.min[axis] < b.room.min[axis] : a.body < b.body;
    };
    if (axis == sweep_axis_) {
        // In the order of the last time, which has hardly changed: the way to the new one is short.
        for (std::size_t n = 1; n < moving_.size(); ++n) {
            if (!comes_before(moving_[n], moving_[n - 1])) continue;
            const Moving moving = moving_[n];
            std::size_t m = n;
            for (; m > 0 && comes_before(moving, moving_[m - 1]); --m) moving_[m] = moving_[m - 1];
            moving_[m] = moving;
        }
    } else {
        std::sort(moving_.begin(), moving_.end(), comes_before);
    }
    sweep_axis_ = axis;
    // Side by side, and without a branch for each: nothing is asked more often.
    const std::size_t count = moving_.size();
    for (int k = 0; k < Dim; ++k) {
        lower_[k].resize(count);
        upper_[k].resize(count);
        for (std::size_t n = 0; n < count; ++n) {
            lower_[k][n] = moving_[n].room.min[(axis + k) % Dim];
            upper_[k][n] = moving_[n].room.max[(axis + k) % Dim];
        }
    }
    near_.resize(count + 1);
    for (std::size_t n = 0; n < count; ++n) {
        std::size_t last = n + 1;
        while (last < count && lower_[0][last] <= upper_[0][n]) ++last;
        std::size_t near = 0;
        for (std::size_t m = n + 1; m < last; ++m) {
            bool overlap = true;
            for (int k = 1; k < Dim; ++k)
                overlap &= (lower_[k][m] <= upper_[k][n]) & (lower_[k][n] <= upper_[k][m]);
            near_[near] = static_cast<Index>(m);
            near += overlap ? 1 : 0;
        }
        for (std::size_t k = 0; k < near; ++k) {
            const Moving& one = moving_[n];
            const Moving& other = moving_[near_[k]];
            const std::pair<Index, Index> pair = std::minmax(one.body, other.body);
            // The first is within the domain, and the second anywhere.
            const Moving& first = one.body < other.body ? one : other;
            const Moving& second = one.body < other.body ? other : one;
            if (first.image != 0 || one.body == other.body) continue;
            if (!std::binary_search(ignored.begin(), ignored.end(), pair))
                pairs_.push_back(std::uint64_t(pair.first) << 36 | std::uint64_t(pair.second) << 8 |
                                 second.image);
        }
    }
    std::sort(pairs_.begin(), pairs_.end());
}

template <int Dim>
void RigidContactSearch<Dim>::find(std::span<const RigidModel<Dim>> models, const RigidState<Dim>& state,
                                   std::span<const std::uint8_t> is_there, const IgnoredPairs& ignored,
                                   std::span<const Unfelt> unfelt, double since, double dt,
                                   const Surroundings<Dim>& surroundings,
                                   std::vector<RigidContact<Dim>>& contacts)
{
    contacts.clear();
    const std::size_t count = models.size();
    things_.resize(count);
    spin_speeds_.assign(count, 0.0);
    moving_.clear();
    if (sweep_order_.size() != count) {
        sweep_order_.resize(count);
        std::iota(sweep_order_.begin(), sweep_order_.end(), Index(0));
    }
    for (const Index i : sweep_order_) {
        if (is_there[i] == 0) continue;
        const RigidModel<Dim>& model = models[i];
        spin_speeds_[i] = model.radius * angular_velocity(model, state, i).norm();
        things_[i] = thing_at(model.shape, model.points, state.pose_of(model, i));
        // What is turned with the body, and no farther out than the body is anyway.
        const Box<Dim>& at_rest = model.shape.bounds();
        const Vec<Dim> middle = things_[i].pose.apply(at_rest.center());
        const Vec<Dim> reach = state.rotation[i].cwiseAbs() * (0.5 * at_rest.size());
        const Vec<Dim> radius = Vec<Dim>::Constant(model.radius);
        const Vec<Dim>& x = state.position[i];
        const Vec<Dim> way = dt * state.velocity[i];
        const Vec<Dim> margin = Vec<Dim>::Constant(touching_share * model.radius + dt * spin_speeds_[i]);
        Box<Dim> room{(middle - reach).cwiseMax(x - radius), (middle + reach).cwiseMin(x + radius)};
        room.min += way.cwiseMin(0.0) - margin;
        room.max += way.cwiseMax(0.0) + margin;
        moving_.push_back({i, room});
    }

    const PeriodicBox<Dim> periodic = surroundings.domain.periodic_box();
    const bool is_periodic = surroundings.domain.is_periodic();
    if (is_periodic) add_images(periodic, state);

    const auto add_all = [&](Index a, Index b, int obstacle, std::uint64_t other_key, double friction,
                             double restitution, const Vec<Dim>& shift, const auto& wall_velocity) {
        for (const Found& found : chosen_) {
            RigidContact<Dim> contact;
            contact.a = a;
            contact.b = b;
            contact.obstacle = obstacle;
            contact.key = {a, other_key, found.point};
            contact.normal = found.normal;
            contact.place = found.place;
            contact.gap = found.gap;
            contact.friction = friction;
            contact.restitution = restitution;
            contact.wall_velocity = wall_velocity(Vec<Dim>(found.place - shift), found.normal);
            contact.shift = shift;
            contacts.push_back(contact);
        }
    };
    find_pairs(ignored);
    std::size_t place = 0;
    for (const Moving& moving : moving_)
        if (moving.image == 0) sweep_order_[place++] = moving.body;
    for (std::size_t i = 0; place < count; ++i)
        if (is_there[i] == 0) sweep_order_[place++] = static_cast<Index>(i);
    for (const std::uint64_t pair : pairs_) {
        const auto a = static_cast<Index>(pair >> 36);
        const auto b = static_cast<Index>(pair >> 8 & 0xfffffff);
        const auto image = static_cast<std::uint8_t>(pair);
        const double size = std::min(models[a].radius, models[b].radius);
        const Vec<Dim> way = dt * (state.velocity[b] - state.velocity[a]);
        const double spin = dt * (spin_speeds_[a] + spin_speeds_[b]);
        Vec<Dim> shift = Vec<Dim>::Zero();
        if (is_periodic)
            shift = periodic.way_back(state.position[b]) - periodic.way_back(state.position[a]) +
                    image_way<Dim>(periodic, image);
        meet(things_[a], is_periodic ? moved(things_[b], shift) : things_[b], way,
             touching_share * size + way.norm() + spin, size);
        add_all(a, b, -1, b | std::uint64_t(image) << 32,
                std::min(models[a].material.friction, models[b].material.friction),
                std::min(models[a].material.restitution, models[b].material.restitution), shift,
                [](const Vec<Dim>&, const Vec<Dim>&) { return Vec<Dim>(Vec<Dim>::Zero()); });
    }

    // Bodies with obstacles.
    const auto friction_with = [](const WallSurface<Dim>& surface, const RigidMaterial& material) {
        if (surface.no_slip) return std::numeric_limits<double>::infinity();
        return surface.friction > 0.0 ? surface.friction : material.friction;
    };
    obstacle_points_.resize(surroundings.obstacles.size(), {nullptr, {}});
    std::erase_if(moving_, [](const Moving& moving) { return moving.image != 0; });
    std::sort(moving_.begin(), moving_.end(),
              [](const Moving& a, const Moving& b) { return a.body < b.body; });
    for (std::size_t k = 0; k < surroundings.obstacles.size(); ++k) {
        const Obstacle<Dim>& obstacle = surroundings.obstacles[k];
        if (obstacle_points_[k].first == nullptr)
            obstacle_points_[k] = {this, contact_points(obstacle.shape)}; // they keep their shapes
        if (!obstacle.is_there) continue;
        const Pose<Dim> pose =
            since > 0.0 ? advanced(obstacle.pose, obstacle.velocity, since) : obstacle.pose;
        const Thing thing = thing_at(obstacle.shape, obstacle_points_[k].second, pose);
        for (const Moving& moving : moving_) {
            const Index i = moving.body;
            if (!unfelt.empty() && unfelt[i].has_wall(static_cast<int>(k))) continue;
            const auto meet_image = [&](const Vec<Dim>& x) {
                const Vec<Dim> center = pose.apply_inverse(x);
                const double speed =
                    state.velocity[i].norm() + spin_speeds_[i] + obstacle.velocity.at(x).norm();
                const double margin = touching_share * models[i].radius + dt * speed;
                if (obstacle.shape.bounds().distance(center) > models[i].radius + margin) return;
                const Vec<Dim> way = dt * (obstacle.velocity.at(x) - state.velocity[i]);
                const Vec<Dim> shift = state.position[i] - x;
                meet(things_[i], is_periodic ? moved(thing, shift) : thing, way, margin, models[i].radius);
                add_all(i, RigidContact<Dim>::wall, static_cast<int>(k), first_obstacle_key + k,
                        friction_with(obstacle.surface, models[i].material), models[i].material.restitution,
                        shift, [&](const Vec<Dim>& at, const Vec<Dim>& normal) {
                            return obstacle.velocity_at(at, normal);
                        });
            };
            if (!is_periodic) {
                meet_image(state.position[i]);
                continue;
            }
            const Vec<Dim> middle = pose.apply(obstacle.shape.bounds().center());
            const double reach = 0.5 * obstacle.shape.bounds().size().norm() + 2.0 * models[i].radius;
            for_each_image<Dim>(periodic, state.position[i], {middle, middle}, reach, meet_image);
        }
    }

    // Bodies with the domain.
    for (const Moving& moving : moving_) {
        const Index i = moving.body;
        const double margin =
            touching_share * models[i].radius + dt * (state.velocity[i].norm() + spin_speeds_[i]);
        const double radius = models[i].points.radius;
        for_each_side(
            surroundings.domain, state.position[i], models[i].radius + margin,
            [&](const NearWall<Dim>& side) {
                found_.clear();
                const Vec<Dim> on_side = state.position[i] - side.distance * side.normal;
                const Thing& thing = things_[i];
                const auto add_point = [&](const Vec<Dim>& x, std::size_t n) {
                    const double gap = (x - on_side).dot(side.normal) - radius;
                    if (gap < margin)
                        found_.push_back({side.normal, x - radius * side.normal, gap, 2 * n, true});
                };
                bool is_box = false;
                if constexpr (Dim == 3) is_box = thing.points->box.has_value();
                if constexpr (Dim == 3)
                    for (int n = 0; is_box && n < 8; ++n)
                        add_point(thing.box.corner(n), static_cast<std::size_t>(n));
                for (std::size_t n = 0; !is_box && n < thing.points->places.size(); ++n)
                    add_point(thing.pose.apply(thing.points->places[n]), n);
                if (found_.empty()) return;
                choose(same_place_share * models[i].radius);
                int axis = 0;
                side.normal.cwiseAbs().maxCoeff(&axis);
                const std::uint64_t number =
                    2 * static_cast<std::uint64_t>(axis) + (side.normal[axis] > 0.0 ? 0 : 1);
                if (radius == 0.0 && !is_box) // down the surface to where it is lowest
                    for (Found& found : chosen_) {
                        const double way = 0.5 * models[i].shape.bounds().shortest_side();
                        for (int n = 0; n < 8; ++n) {
                            const Vec<Dim> X =
                                thing.pose.apply_inverse(Vec<Dim>(found.place - way * side.normal));
                            const SignedDistance<Dim> back = models[i].shape.sample(X);
                            if (!(back.value > 0.0)) break;
                            const Vec<Dim> next = thing.pose.apply(Vec<Dim>(X - back.value * back.normal));
                            const double gap = (next - on_side).dot(side.normal);
                            if (!(gap < found.gap - 1e-12 * way)) break;
                            found.place = next;
                            found.gap = gap;
                        }
                    }
                add_all(i, RigidContact<Dim>::wall, -1, first_side_key + number,
                        friction_with(side.surface, models[i].material), models[i].material.restitution,
                        Vec<Dim>::Zero(), [&](const Vec<Dim>&, const Vec<Dim>&) { return side.velocity; });
            });
    }
}

template class RigidContactSearch<2>;
template class RigidContactSearch<3>;

} // namespace phyxel
