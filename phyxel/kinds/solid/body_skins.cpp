// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_skins.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/approx/profiles.h>
#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/error.h>
#include <phyxel/kinds/solid/detail/crack_skin.h>
#include <phyxel/kinds/solid/detail/skin_surface.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Surfels may become so many times as many as there were at first.
constexpr std::size_t surfel_growth = 8;

template <class T>
std::vector<T> values_at(const std::vector<T>& values, std::span<const Index> places)
{
    std::vector<T> found;
    for (const Index i : places) found.push_back(values[i]);
    return found;
}

/// Of sections of checkpoints.
std::string coat_name(std::size_t part) { return "solid/coat/" + std::to_string(part) + '/'; }
std::string surfels_name(std::size_t part) { return "solid/surfels/" + std::to_string(part) + '/'; }

} // namespace

template <int Dim>
void BodySkins<Dim>::add(SolidPart<Dim>& part, std::size_t first)
{
    const std::size_t number = skins_.size();
    std::optional<CarriedSkin>& skin = skins_.emplace_back();
    std::optional<CoatSkin>& coat = coats_.emplace_back();
    std::optional<SolidCoat>& later_coat = later_coats_.emplace_back();
    whole_skins_.emplace_back();
    if ((cracks_.may_crack(number) || cracks_.may_break(number)) && !part.skin.triangles.empty())
        whole_skins_.back() = WholeSkin{part.skin};
    if constexpr (Dim == 3)
        if (!part.skin.vertices.empty() && part.phyxels.size() > 0) {
            std::vector carriers(parts_.state.id.begin() + static_cast<std::ptrdiff_t>(first),
                                 parts_.state.id.end());
            if (part.skin.coat)
                coat.emplace(part.skin, part.phyxels.positions, coat_spacing(part.phyxels),
                             std::move(carriers));
            else {
                if (part.shape && !cracks_.may_crack(number)) later_coat = part.skin.coat_once_it_flows;
                skin.emplace(std::move(part.skin), std::move(part.phyxels), std::move(carriers));
            }
        }
}

template <int Dim>
void BodySkins<Dim>::remove(std::size_t part)
{
    whole_skins_[part].reset();
    skins_[part].reset();
    coats_[part].reset();
    later_coats_[part].reset();
}

template <int Dim>
void BodySkins<Dim>::follow(std::span<const PhyxelHalves<Dim>> halves)
{
    if constexpr (Dim == 3)
        for (std::optional<CoatSkin>& coat : coats_)
            if (coat)
                for (const PhyxelHalves<3>& pair : halves) coat->follow(pair.kept, pair.fresh, pair.way);
}

/// The skin of a part with all cracks that there are by now.
template <int Dim>
void BodySkins<Dim>::cut(std::size_t part)
{
    if constexpr (Dim == 3) {
        std::optional<WholeSkin>& whole = whole_skins_[part];
        const CrackSheets<3>* sheets = cracks_.find(part);
        if (!whole || !skins_[part] || sheets == nullptr || sheets->is_empty()) return;
        if (whole->version == cracks_.version(part)) return;
        whole->version = cracks_.version(part);
        const Index first = parts_.model.first_of_part[part];
        const Index last = parts_.model.first_of_part[part + 1];
        const auto is_own = [&](Index j) { return j >= first && j < last; };
        PhyxelCloud<3> phyxels = std::move(skins_[part]->nodes);
        std::vector<std::uint64_t> offsets = {0};
        std::vector<Index> joined;
        for (std::size_t i = 0; i < phyxels.size(); ++i) {
            std::size_t entry = parts_.model.rest.neighbors.offsets()[first + i];
            for (const Index j : parts_.model.rest.neighbors.of(first + i))
                if (parts_.model.rest.pairs[entry++].w > 0.0 && is_own(j)) joined.push_back(j - first);
            offsets.push_back(joined.size());
        }
        // What is far from all cracks need not look for them.
        std::vector<std::uint8_t> is_near(phyxels.size(), 0);
        for (std::size_t i = 0; i < phyxels.size(); ++i) {
            std::size_t entry = parts_.model.rest.neighbors.offsets()[first + i];
            for (const Index j : parts_.model.rest.neighbors.of(first + i))
                if (parts_.model.rest.lengthening[entry++] > 0.0 && is_own(j))
                    is_near[i] = is_near[j - first] = 1;
        }
        const std::vector<std::uint8_t> is_beside = is_near;
        for (std::size_t i = 0; i < phyxels.size(); ++i)
            if (is_beside[i] != 0)
                for (const Index j : parts_.model.rest.neighbors.of(first + i))
                    if (is_own(j)) is_near[j - first] = 1;
        phyxels.neighbors = NeighborLists(offsets, joined);
        const std::vector<Vec<3>> places = phyxels.positions;
        std::vector<std::uint64_t> node_ids = std::move(skins_[part]->node_ids);
        skins_[part].emplace(cut_along_cracks(whole->skin, *sheets), std::move(phyxels), std::move(node_ids),
                             [&](const Vec<3>& vertex, Index node) {
                                 return is_near[node] == 0 || !sheets->is_crossed(vertex, places[node]);
                             });
    }
}

/// The phyxels that carry a skin, as they are numbered now.
template <int Dim>
std::vector<Index> BodySkins<Dim>::nodes_of(const CarriedSkin& skin) const
{
    std::vector<Index> nodes;
    for (const std::uint64_t id : skin.node_ids) nodes.push_back(parts_.ids.find(id).value());
    return nodes;
}

template <int Dim>
std::vector<Mat<3>> BodySkins<Dim>::gradients_of(std::span<const Index> phyxels)
{
    const std::span<const ElasticResponse<Dim>> responses = evaluation_.responses();
    std::vector<Mat<3>> gradients;
    if constexpr (Dim == 3)
        for (const Index i : phyxels)
            gradients.push_back(parts_.state.remembers_rest()
                                    ? gradient_from_start(i)
                                    : gradient_for_skin(responses[i].F, parts_.model.rest.rest_gradient(i)));
    return gradients;
}

/// F that carries the skin of a body that may forget its shape at rest. It comes from the neighbours at the
/// start, because the skin is that of the start.
template <int Dim>
Mat<3> BodySkins<Dim>::gradient_from_start(Index phyxel) const
{
    constexpr double flat_share = 0.005; // as of shapes at rest
    Mat<3> gradient = Mat<3>::Identity();
    if constexpr (Dim == 3) {
        Mat<3> A = Mat<3>::Zero(), sum = Mat<3>::Zero();
        for (const Index j : parts_.model.start_neighbors().of(phyxel)) {
            const Vec<3> X = parts_.model.origin[j] - parts_.model.origin[phyxel];
            const double h = 0.5 * (parts_.model.first_support(phyxel) + parts_.model.first_support(j));
            const double w = Poly6Profile::value(std::min(1.0, X.norm() / h));
            add_to_moment<3>(w, X, A);
            sum += w * (parts_.state.position[j] - parts_.state.position[phyxel]) * X.transpose();
        }
        const SymmetricInverse<3> inverse = pseudo_inverse<3>(A, flat_share);
        gradient = gradient_for_skin(sum * inverse.matrix, inverse.span);
    }
    return gradient;
}

/// Whether each vertex of a skin is carried by phyxels that are held, or moved whatever is in their way;
/// empty if none is. `transfer` takes values from the nodes to the vertices.
template <int Dim>
template <class Transfer>
std::vector<std::uint8_t> BodySkins<Dim>::passing_vertices(std::size_t count, std::span<const Index> nodes,
                                                           const Transfer& transfer) const
{
    const auto is_prescribed = [&](Index i) { return regions_.is_prescribed(i); };
    if (std::none_of(nodes.begin(), nodes.end(), is_prescribed)) return {};
    std::vector<Vec<3>> nodal(nodes.size(), Vec<3>::Zero());
    for (std::size_t k = 0; k < nodes.size(); ++k) nodal[k][0] = is_prescribed(nodes[k]) ? 1.0 : 0.0;
    std::vector<Vec<3, float>> carried(count);
    transfer(nodal, carried);
    std::vector<std::uint8_t> passing(count);
    for (std::size_t i = 0; i < count; ++i) passing[i] = carried[i][0] > 0.0f;
    return passing;
}

template <int Dim>
void BodySkins<Dim>::resample(double time)
{
    if (time < next_resampling_) return;
    while (next_resampling_ <= time) next_resampling_ += resample_interval;
    if constexpr (Dim == 3)
        for (std::size_t part = 0; part < skins_.size(); ++part) {
            if (!skins_[part] || !skins_[part]->surfels || coats_[part]) continue;
            CarriedSkin& skin = *skins_[part];
            const std::vector<Index> nodes = nodes_of(skin);
            skin.surfels->update(skin.skinning, values_at<Vec<Dim>>(parts_.state.position, nodes),
                                 gradients_of(nodes));
            (void)skin.surfels->resample(skin.skinning, skin.skinning_nodes(),
                                         surfel_growth * skin.first_size);
            skin.size = skin.surfels->size();
        }
}

template <int Dim>
std::vector<Index> BodySkins<Dim>::numbers_of(const CoatSkin& coat) const
{
    std::vector<Index> numbers;
    for (const std::uint64_t id : coat.ids()) numbers.push_back(parts_.ids.find(id).value());
    return numbers;
}

/// All of the parts that a part has become one with: those of which a phyxel is a neighbour of one of its
/// own.
template <int Dim>
std::vector<Index> BodySkins<Dim>::fused_phyxels(std::size_t part) const
{
    if (parts_.model.merges_with[part].empty()) return {};
    std::vector<std::uint8_t> is_fused(parts_.names.size(), 0);
    for (Index i = parts_.model.first_of_part[part]; i < parts_.model.first_of_part[part + 1]; ++i)
        for (const Index j : parts_.model.rest.neighbors.of(i)) is_fused[parts_.model.part[j]] = 1;
    std::vector<Index> fused;
    for (std::size_t other = 0; other < parts_.names.size(); ++other)
        if (other != part && is_fused[other] != 0)
            for (Index i = parts_.model.first_of_part[other]; i < parts_.model.first_of_part[other + 1]; ++i)
                fused.push_back(i);
    return fused;
}

/// Calls visit(coat, now, numbers) with the coat of a part, what it is to follow, and which phyxels these
/// are, its own and then those that it has become one with.
template <int Dim>
template <class Visit>
void BodySkins<Dim>::with_coat(std::size_t part, const Surroundings<3>& surroundings,
                               std::span<const Unfelt> unfelt, Visit&& visit)
{
    if constexpr (Dim == 3) {
        CoatSkin& coat = *coats_[part];
        std::vector<Index> numbers = numbers_of(coat);
        const std::vector<Vec<3>> positions = values_at<Vec<3>>(parts_.state.position, numbers);
        const std::vector<Index> fused = fused_phyxels(part);
        const std::vector<Vec<3>> others = values_at<Vec<3>>(parts_.state.position, fused);
        numbers.insert(numbers.end(), fused.begin(), fused.end());
        std::vector<double> fluidity;
        for (const Index i : numbers) fluidity.push_back(parts_.model.material_of(i).flows ? 1.0 : 0.0);
        std::vector<double> sizes;
        if (!parts_.model.halved.times.empty())
            for (const Index i : numbers)
                sizes.push_back(length_after_halving<3>(parts_.model.halved.times[i]));
        visit(coat,
              CoatSkin::Now{positions, others, fluidity, sizes, surroundings.time, surroundings,
                            unfelt.empty() ? Unfelt() : unfelt[part]},
              numbers);
    }
}

template <int Dim>
bool BodySkins<Dim>::begins_coat(std::size_t part) const
{
    return later_coats_[part] && skins_[part] && !coats_[part] &&
           (parts_.model.materials[part].may_flow() || !fused_phyxels(part).empty());
}

/// A body that was elastic flows from now on, or has become one with another that flows. A coat takes over
/// from its skin, at the present places of the skin. The skin is kept, because an earlier state may be
/// loaded.
template <int Dim>
void BodySkins<Dim>::begin_coat(std::size_t part, const Surroundings<3>& surroundings,
                                std::span<const Unfelt> unfelt)
{
    if constexpr (Dim == 3) {
        const CarriedSkin& skin = *skins_[part];
        SolidSkin at_rest;
        try {
            at_rest = skin_with_coat(*parts_.shapes[part], *later_coats_[part]);
        } catch (const InputError&) { // more points than there can be: it keeps its skin
            later_coats_[part].reset();
            return;
        }
        const std::vector<Index> nodes = nodes_of(skin);
        const std::vector<Vec<3>> phyxels = values_at<Vec<3>>(parts_.state.position, nodes);
        Skinning<float> carried(at_rest.vertices, at_rest.normals, skin.skinning_nodes(), skin.options);
        std::vector<Vec<3>> points(at_rest.vertices.size());
        std::vector<Vec<3, float>> directions(points.size());
        carried.update(phyxels, gradients_of(nodes), points, directions);
        std::vector<Vec<3>> normals;
        for (std::size_t i = 0; i < points.size(); ++i)
            normals.push_back(directions[i].isZero(0.0f) ? at_rest.normals[i]
                                                         : Vec<3>(directions[i].cast<double>()));
        const auto transfer = [&](std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) {
            carried.transfer(nodal, {}, out);
        };
        keep_out_of_walls(surroundings, unfelt.empty() ? Unfelt() : unfelt[part],
                          passing_vertices(points.size(), nodes, transfer), points);
        coats_[part].emplace(at_rest, points, normals, phyxels, coat_spacing(skin.nodes), skin.node_ids,
                             surroundings.time);
    }
}

template <int Dim>
double BodySkins<Dim>::take_coats_along(const Surroundings<Dim>& surroundings, std::span<const Unfelt> unfelt)
{
    double pop = 0.0;
    if constexpr (Dim == 3)
        for (std::size_t part = 0; part < coats_.size(); ++part) {
            if (begins_coat(part)) begin_coat(part, surroundings, unfelt);
            if (!coats_[part]) continue;
            if (coats_[part]->ends_frame(surroundings.time))
                with_coat(part, surroundings, unfelt,
                          [&](CoatSkin& coat, const CoatSkin::Now& now, const auto&) {
                              pop = std::max(pop, coat.advance(now));
                          });
            else
                coats_[part]->note_way(values_at<Vec<3>>(parts_.state.position, numbers_of(*coats_[part])));
        }
    return pop;
}

template <int Dim>
std::optional<SurfaceMesh> BodySkins<Dim>::surface(std::size_t part, std::span<const BodyField> fields,
                                                   const Surroundings<Dim>& surroundings,
                                                   std::span<const Unfelt> unfelt)
{
    std::optional<SurfaceMesh> surface;
    if constexpr (Dim == 3) {
        const SolidState<Dim>& state = parts_.state;
        if (coats_[part])
            with_coat(part, surroundings, unfelt,
                      [&](const CoatSkin& skin, const CoatSkin::Now& now, std::span<const Index> numbers) {
                          surface = coat_surface(skin.at(now), now, numbers, state.velocity, fields);
                      });
        if (coats_[part] || !skins_[part]) return surface;
        cut(part);
        CarriedSkin& skin = *skins_[part];
        const std::vector<Index> nodes = nodes_of(skin);
        const std::vector<Vec<3>> positions = values_at<Vec<3>>(state.position, nodes);
        const std::vector<Mat<3>> gradients = gradients_of(nodes);
        const CarriedNodes carried{nodes, positions, gradients, state.velocity};
        surface = carried_surface(skin, carried, fields, [&](std::span<Vec<3>> vertices) {
            keep_out_of_walls(
                surroundings, unfelt.empty() ? Unfelt() : unfelt[part],
                passing_vertices(skin.size, nodes,
                                 [&](std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) {
                                     skin.transfer(nodal, out);
                                 }),
                vertices);
        });
    }
    return surface;
}

template <int Dim>
void BodySkins<Dim>::save(CheckpointWriter& checkpoint) const
{
    for (std::size_t part = 0; part < skins_.size(); ++part)
        if (skins_[part] && skins_[part]->surfels && !coats_[part])
            skins_[part]->save(checkpoint, surfels_name(part));
    for (std::size_t part = 0; part < coats_.size(); ++part)
        if (coats_[part]) coats_[part]->save(checkpoint, coat_name(part));
}

template <int Dim>
void BodySkins<Dim>::load(const CheckpointReader& checkpoint, double next_resampling,
                          std::span<const std::vector<std::uint64_t>> phyxels)
{
    for (std::size_t part = 0; part < skins_.size(); ++part) {
        const std::optional<SolidCoat>& later = later_coats_[part];
        const std::optional<CarriedSkin>& skin = skins_[part];
        if (!later || !skin) continue;
        coats_[part].reset();
        if (CoatSkin::is_in(checkpoint, coat_name(part)))
            coats_[part].emplace(*later, coat_spacing(skin->nodes), skin->node_ids);
    }
    for (std::size_t part = 0; part < skins_.size(); ++part)
        if (skins_[part] && skins_[part]->surfels && !coats_[part])
            skins_[part]->load(checkpoint, surfels_name(part));
    for (std::size_t part = 0; part < coats_.size(); ++part)
        if (coats_[part]) coats_[part]->load(checkpoint, coat_name(part), phyxels[part]);
    next_resampling_ = next_resampling;
}

template class BodySkins<2>;
template class BodySkins<3>;

} // namespace phyxel
