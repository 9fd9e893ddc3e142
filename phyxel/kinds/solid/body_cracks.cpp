// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_cracks.h>

#include <phyxel/core/error.h>
#include <phyxel/solid/rest_places.h>

#include <Eigen/LU>

#include <algorithm>
#include <utility>

namespace phyxel {

template <int Dim>
void BodyCracks<Dim>::add(const SolidModel<Dim>& model, std::string_view name,
                          std::span<const std::vector<Vec<Dim>>> polygons,
                          const std::optional<Shape<Dim>>& shape, double time, bool is_cut,
                          std::uint64_t seed)
{
    const std::size_t number = parts_.size();
    Part& part = parts_.emplace_back();
    if (shape) {
        part.distance = [shape = *shape](const Vec<Dim>& x) { return shape.signed_distance(x); };
    } else {
        Box<Dim> box;
        for (Index i = model.first_of_part[number]; i < model.first_of_part[number + 1]; ++i)
            box.extend(model.rest.position[i]);
        part.distance = [box, half = 0.5 * model.spacing_of_part[number]](const Vec<Dim>& x) {
            const Vec<Dim> beyond = (box.min - x).cwiseMax(x - box.max);
            return beyond.maxCoeff() - half;
        };
    }
    bool has_drawn = false;
    const auto draw = [&](std::span<const Vec<Dim>> polygon) {
        if (!draw_crack<Dim>(cracks_.of(model, number), polygon, part.distance)) return false;
        has_drawn = true;
        return true;
    };
    for (const std::vector<Vec<Dim>>& polygon : polygons) draw(polygon);
    const std::size_t cutting = is_cut ? blades_.size() : 0;
    for (std::size_t k = 0; k < cutting; ++k) {
        const SolidBlade<Dim>& blade = blades_[k];
        if (!blade.bodies.empty() &&
            std::find(blade.bodies.begin(), blade.bodies.end(), name) == blade.bodies.end())
            continue;
        CutBody& cut =
            part.cut.emplace_back(CutBody{k, Blade<Dim>(blade.polygon, model.spacing_of_part[number])});
        std::vector<Vec<Dim>> placed;
        for (const Vec<Dim>& x : blade.polygon) placed.push_back(blade.motion.pose(time).apply(x));
        const std::uint32_t next = cracks_.find(number) != nullptr ? cracks_.find(number)->crack_count() : 0;
        if (draw(placed)) cut.track.crack = next;
    }
    if (has_drawn) find_fronts(cracks_.of(model, number));
    part.may_crack = !polygons.empty() || !part.cut.empty();
    if (is_cut && model.materials[number].breaks()) part.growth.emplace(model, number, seed);
}

template <int Dim>
void BodyCracks<Dim>::remove(std::size_t part)
{
    cracks_.remove(part);
    parts_[part].cut.clear();
    parts_[part].may_crack = false;
    parts_[part].growth.reset();
    touch(part);
}

template <int Dim>
void BodyCracks<Dim>::forget_fragments()
{
    for (Part& part : parts_) part.fragments.reset();
}

template <int Dim>
void BodyCracks<Dim>::touch(std::size_t part)
{
    ++parts_[part].version;
    parts_[part].fragments.reset();
}

template <int Dim>
bool BodyCracks<Dim>::cut(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions, double time,
                          double dt)
{
    constexpr double reach = 1.5; // spacings from the surface
    bool has_cut = false;
    for (std::size_t number = 0; number < parts_.size(); ++number)
        for (CutBody& cut : parts_[number].cut) {
            const Motion<Dim>& motion = blades_[cut.blade].motion;
            const Pose<Dim> pose = motion.pose(time), before = motion.pose(time - dt);
            Box<Dim> box;
            std::vector<Vec<Dim>> rim;
            double way = 0.0;
            for (const Vec<Dim>& x : cut.shape.rim()) {
                rim.push_back(pose.apply(x));
                box.extend(rim.back());
                way = std::max(way, (rim.back() - before.apply(x)).norm());
            }
            const double distance = reach * model.spacing_of_part[number] + way;
            const RestPlaces<Dim> places(model, number, positions, box, distance);
            if (places.is_empty() && std::none_of(cut.track.is_there.begin(), cut.track.is_there.end(),
                                                  [](std::uint8_t is_there) { return is_there != 0; }))
                continue;
            std::vector<std::optional<RimPlace<Dim>>> found(rim.size());
            for (std::size_t k = 0; k < rim.size(); ++k) {
                const std::optional<RestPlace<Dim>> place = places.find(rim[k]);
                if (!place) continue;
                const Mat<Dim>& F = place->gradient;
                const Vec<Dim> outwards = F.inverse() * (pose.rotation * cut.shape.outwards()[k]);
                const Vec<Dim> normal = F.transpose() * (pose.rotation * cut.shape.normals()[k]);
                found[k] = RimPlace<Dim>{place->place, outwards.normalized(), normal.normalized()};
            }
            if (!advance_blade<Dim>(cut.shape, found, parts_[number].distance, cut.track,
                                    cracks_.of(model, number)))
                continue;
            find_fronts(cracks_.of(model, number));
            has_cut = true;
            ++parts_[number].version;
        }
    return has_cut;
}

template <int Dim>
bool BodyCracks<Dim>::wait(double dt)
{
    bool is_due = false;
    for (Part& part : parts_) {
        if (!part.growth) continue;
        part.growth->wait(dt);
        is_due = is_due || part.growth->is_due();
    }
    return is_due;
}

template <int Dim>
bool BodyCracks<Dim>::grow(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                           std::span<const Vec<Dim>> velocities, std::span<const double> plastic_strain)
{
    bool has_grown = false;
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        Part& part = parts_[number];
        if (!part.growth || (!velocities.empty() && !part.growth->is_due())) continue;
        if (!part.growth->grow(model, work, velocities, plastic_strain, fragments(model, number),
                               part.distance, cracks_))
            continue;
        has_grown = true;
        ++part.version;
    }
    return has_grown;
}

template <int Dim>
double BodyCracks<Dim>::paid() const
{
    double sum = 0.0;
    for (const Part& part : parts_)
        if (part.growth) sum += part.growth->purses().paid;
    return sum;
}

template <int Dim>
bool BodyCracks<Dim>::update(SolidModel<Dim>& model, double stabilization_share)
{
    changed_ = cracks_.update(model, stabilization_share);
    for (std::size_t part = 0; part < parts_.size(); ++part)
        if (cracks_.find(part) != nullptr && cracks_.may_have_parted(part)) parts_[part].fragments.reset();
    return !changed_.empty();
}

template <int Dim>
double BodyCracks<Dim>::area() const
{
    double sum = 0.0;
    for (std::size_t part = 0; part < parts_.size(); ++part)
        if (const CrackSheets<Dim>* sheets = cracks_.find(part)) sum += sheets->data().area;
    return sum;
}

template <int Dim>
std::span<const std::uint32_t> BodyCracks<Dim>::fragments(const SolidModel<Dim>& model, std::size_t part)
{
    std::optional<Fragments>& known = parts_[part].fragments;
    if (!known) known = fragments_of(model.rest, model.first_of_part[part], model.first_of_part[part + 1]);
    return known->of_phyxel;
}

template <int Dim>
std::size_t BodyCracks<Dim>::fragment_count(const SolidModel<Dim>& model)
{
    std::size_t count = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (cracks_.find(part) == nullptr) continue;
        static_cast<void>(fragments(model, part));
        count += parts_[part].fragments->count;
    }
    return count;
}

template <int Dim>
void BodyCracks<Dim>::save(CheckpointWriter& checkpoint) const
{
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        const std::string name = name_of(number);
        if (const CrackSheets<Dim>* sheets = cracks_.find(number)) {
            const CrackData<Dim>& data = sheets->data();
            checkpoint.add(name + "nodes", data.nodes);
            checkpoint.add(name + "distance", data.distance);
            checkpoint.add(name + "faces", data.faces);
            checkpoint.add(name + "crack_of_face", data.crack_of_face);
            checkpoint.add(name + "fronts", data.fronts);
            checkpoint.add(name + "crack_of_front", data.crack_of_front);
            checkpoint.add_value(name + "area", data.area);
        }
        if (const auto& growth = parts_[number].growth) {
            const CrackPurses& purses = growth->purses();
            checkpoint.add(name + "purse", purses.purse);
            checkpoint.add_value(name + "waited", purses.waited);
            checkpoint.add_value(name + "paid", purses.paid);
            checkpoint.add_value(name + "ended", purses.ended);
        }
        for (const CutBody& cut : parts_[number].cut) {
            const std::string blade = name + "blade/" + std::to_string(cut.blade) + '/';
            checkpoint.add(blade + "place", cut.track.place);
            checkpoint.add(blade + "is_there", cut.track.is_there);
            checkpoint.add(blade + "node", cut.track.node);
            checkpoint.add_value(blade + "crack", cut.track.crack);
        }
    }
}

template <int Dim>
void BodyCracks<Dim>::load(const CheckpointReader& checkpoint, SolidModel<Dim>& model,
                           double stabilization_share)
{
    using Data = CrackData<Dim>;
    for (std::size_t number = 0; number < parts_.size(); ++number) {
        Part& part = parts_[number];
        const std::string name = name_of(number);
        if (checkpoint.contains(name + "nodes")) {
            Data data{.nodes = checkpoint.section<Vec<Dim>>(name + "nodes"),
                      .distance = checkpoint.section<double>(name + "distance"),
                      .faces = checkpoint.section<typename Data::Face>(name + "faces"),
                      .crack_of_face = checkpoint.section<std::uint32_t>(name + "crack_of_face"),
                      .fronts = checkpoint.section<typename Data::Front>(name + "fronts"),
                      .crack_of_front = checkpoint.section<std::uint32_t>(name + "crack_of_front"),
                      .area = checkpoint.value<double>(name + "area")};
            cracks_.set(model, number, CrackSheets<Dim>(model.spacing_of_part[number], {}, std::move(data)));
        } else if (cracks_.find(number) != nullptr) {
            if (!part.growth) throw InputError("the checkpoint is that of another scene");
            cracks_.set(model, number, CrackSheets<Dim>(model.spacing_of_part[number]));
        }
        if (part.growth)
            part.growth->set_purses(
                {.purse = checkpoint.section<double>(name + "purse"),
                 .waited = checkpoint.value<double>(name + "waited"),
                 .paid = checkpoint.value<double>(name + "paid"),
                 .ended = checkpoint.value<std::uint64_t>(name + "ended")},
                cracks_.find(number) != nullptr ? cracks_.find(number)->data().nodes.size() : 0);
        for (CutBody& cut : part.cut) {
            const std::string blade = name + "blade/" + std::to_string(cut.blade) + '/';
            BladeTrack<Dim> track{.place = checkpoint.section<Vec<Dim>>(blade + "place"),
                                  .is_there = checkpoint.section<std::uint8_t>(blade + "is_there"),
                                  .node = checkpoint.section<Index>(blade + "node"),
                                  .crack = checkpoint.value<std::uint32_t>(blade + "crack")};
            const std::size_t count = track.place.size();
            const std::size_t nodes =
                cracks_.find(number) != nullptr ? cracks_.find(number)->data().nodes.size() : 0;
            const bool is_sound = (count == 0 || count == cut.shape.rim().size()) &&
                                  track.is_there.size() == count && track.node.size() == count &&
                                  std::all_of(track.place.begin(), track.place.end(),
                                              [](const Vec<Dim>& x) { return x.allFinite(); }) &&
                                  std::all_of(track.node.begin(), track.node.end(), [&](Index node) {
                                      return node < nodes || node == BladeTrack<Dim>::none;
                                  });
            if (!is_sound) throw InputError("the checkpoint has a blade that makes no sense");
            cut.track = std::move(track);
        }
        static_cast<void>(cracks_.update_all(model, number, stabilization_share));
        touch(number);
    }
}

template class BodyCracks<2>;
template class BodyCracks<3>;

} // namespace phyxel
