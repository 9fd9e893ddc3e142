// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_rims.h>

#include <algorithm>

namespace phyxel {

template <int Dim>
CrackSide<Dim> side_of(const typename CrackData<Dim>::Face& face, std::uint32_t crack, std::size_t opposite)
{
    CrackSide<Dim> side{crack, {}};
    for (std::size_t k = 0; k + 1 < Dim; ++k) side.nodes[k] = face[(opposite + 1 + k) % Dim];
    std::sort(side.nodes.begin(), side.nodes.end());
    return side;
}

template <int Dim>
std::size_t CrackRims<Dim>::Hash::operator()(const CrackSide<Dim>& side) const
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15; // 2⁶⁴ over the golden ratio
    std::uint64_t key = side.crack;
    for (const Index node : side.nodes) {
        key = (key ^ node) * odd;
        key ^= key >> 32;
    }
    return static_cast<std::size_t>(key);
}

template <int Dim>
void CrackRims<Dim>::add(const typename CrackData<Dim>::Face& face, std::uint32_t crack, Index number)
{
    for (std::size_t opposite = 0; opposite < Dim; ++opposite) {
        Faces& known = faces_[side_of<Dim>(face, crack, opposite)];
        if (known.count++ == 0) known.first = number;
    }
}

template <int Dim>
std::optional<Index> CrackRims<Dim>::face_at(const CrackSide<Dim>& side) const
{
    const auto found = faces_.find(side);
    if (found == faces_.end() || found->second.count != 1) return std::nullopt;
    return found->second.first;
}

template CrackSide<2> side_of<2>(const CrackData<2>::Face&, std::uint32_t, std::size_t);
template CrackSide<3> side_of<3>(const CrackData<3>::Face&, std::uint32_t, std::size_t);
template class CrackRims<2>;
template class CrackRims<3>;

} // namespace phyxel
