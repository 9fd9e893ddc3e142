// SPDX-License-Identifier: MIT
// This file takes the longest of all to compile, and nearly 2 GB, for OpenVDB's templates.
#include <phyxel/volume/vdb_grid.h>

#include <phyxel/core/error.h>

#include <openvdb/io/Archive.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <sstream>
#include <utility>

namespace phyxel {
namespace {

/// To be there while OpenVDB works.
struct OpenVdbSession {
    OpenVdbSession()
    {
        static const bool started = (openvdb::initialize(), true);
        static_cast<void>(started);
    }

#ifdef __SANITIZE_THREAD__
    // OpenVDB's loops run on oneTBB, whose waiting the thread sanitizer does not see: they get one thread.
    tbb::global_control one_thread{tbb::global_control::max_allowed_parallelism, 1};
#endif
};

openvdb::GridClass grid_class(VdbKind kind)
{
    switch (kind) {
    case VdbKind::LevelSet:
        return openvdb::GRID_LEVEL_SET;
    case VdbKind::FogVolume:
        return openvdb::GRID_FOG_VOLUME;
    case VdbKind::Unknown:
        break;
    }
    return openvdb::GRID_UNKNOWN;
}

VdbKind kind_of(openvdb::GridClass grid_class)
{
    if (grid_class == openvdb::GRID_LEVEL_SET) return VdbKind::LevelSet;
    if (grid_class == openvdb::GRID_FOG_VOLUME) return VdbKind::FogVolume;
    return VdbKind::Unknown;
}

openvdb::Coord coordinate(const GridIndex& node) { return {node[0], node[1], node[2]}; }

/// A grid of OpenVDB with these values, `make(values)` from the numbers of a node.
template <class Grid, class Make>
openvdb::GridBase::Ptr make_grid(const VdbGrid& grid, const typename Grid::ValueType& background,
                                 const Make& make)
{
    const typename Grid::Ptr result = Grid::create(background);
    typename Grid::Accessor accessor = result->getAccessor();
    for (std::size_t n = 0; n < grid.nodes.size(); ++n)
        accessor.setValue(coordinate(grid.nodes[n]),
                          make(grid.values.data() + n * static_cast<std::size_t>(grid.components)));
    return result;
}

openvdb::GridBase::Ptr to_openvdb(const VdbGrid& grid)
{
    openvdb::GridBase::Ptr result;
    if (grid.components == 1) {
        result = make_grid<openvdb::FloatGrid>(grid, grid.background, [](const float* v) { return *v; });
        // Inside of the band the distance is the background with a minus, which fills the solid.
        if (grid.kind == VdbKind::LevelSet)
            openvdb::tools::signedFloodFill(openvdb::gridPtrCast<openvdb::FloatGrid>(result)->tree());
    } else {
        result = make_grid<openvdb::Vec3SGrid>(grid, openvdb::Vec3s(grid.background), [](const float* v) {
            return openvdb::Vec3s(v[0], v[1], v[2]);
        });
    }
    result->setName(grid.name);
    result->setGridClass(grid_class(grid.kind));
    result->setTransform(openvdb::math::Transform::createLinearTransform(grid.cell));
    // Others interpolate vectors and scalars; these are velocities, which turn with the thing they belong to.
    if (grid.components == 3) result->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    return result;
}

template <class Grid, class Take>
void take_values(const Grid& from, VdbGrid& grid, const Take& take)
{
    for (auto value = from.cbeginValueOn(); value; ++value) {
        if (!value.isVoxelValue()) {
            // A tile stands for all nodes of a cube with one value.
            for (auto node = value.getBoundingBox().begin(); node; ++node) {
                grid.nodes.push_back({(*node)[0], (*node)[1], (*node)[2]});
                take(*value);
            }
            continue;
        }
        const openvdb::Coord node = value.getCoord();
        grid.nodes.push_back({node[0], node[1], node[2]});
        take(*value);
    }
}

/// The archive writes into any stream; only files and pipes have a class of their own in OpenVDB, and what it
/// writes into pipes cannot be read grid by grid.
class StreamArchive : public openvdb::io::Archive {
public:
    Ptr copy() const override { return Ptr(new StreamArchive(*this)); }
    void write(std::ostream& stream, const openvdb::GridCPtrVec& grids) const
    {
        Archive::write(stream, grids, true, {});
    }
    void write(const openvdb::GridCPtrVec&, const openvdb::MetaMap&) const override {}
};

/// Takes the random name of the file out of its header, so that the same volumes are the same file.
void make_repeatable(std::string& bytes)
{
    // Magic number (8 bytes), three version numbers (4 each), a flag (1), then the name in 36 letters.
    constexpr std::size_t place = 8 + 3 * 4 + 1;
    constexpr std::size_t length = 36;
    if (bytes.size() < place + length || bytes[place + 8] != '-') return;
    std::string name = "00000000-0000-4000-8000-000000000000";
    bytes.replace(place, length, name);
}

} // namespace

VdbGrid vdb_level_set(const TriangleMesh& mesh, double cell, std::string name)
{
    if (!(cell > 0)) throw InputError("the cell of a grid must be a positive length");
    const OpenVdbSession session;
    std::vector<openvdb::Vec3s> points(mesh.vertices.size());
    std::vector<openvdb::Vec3I> triangles(mesh.triangles.size());
    // In cells and relative to a node near the mesh: `float` is enough there.
    Vec<3> origin = Vec<3>::Zero();
    if (!mesh.vertices.empty()) origin = (bounds(mesh).center() / cell).array().round();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec<3> x = mesh.vertices[i] / cell - origin;
        points[i] = openvdb::Vec3s(openvdb::Vec3d(x[0], x[1], x[2]));
    }
    for (std::size_t t = 0; t < triangles.size(); ++t)
        triangles[t] = openvdb::Vec3I(mesh.triangles[t][0], mesh.triangles[t][1], mesh.triangles[t][2]);
    const auto transform = openvdb::math::Transform::createLinearTransform(1.0);
    const openvdb::FloatGrid::Ptr distance =
        openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*transform, points, triangles, 3.0f);

    VdbGrid grid;
    grid.name = std::move(name);
    grid.kind = VdbKind::LevelSet;
    grid.cell = cell;
    grid.background = static_cast<float>(3 * cell);
    take_values(*distance, grid, [&](float d) { grid.values.push_back(d * static_cast<float>(cell)); });
    for (GridIndex& node : grid.nodes)
        for (std::size_t k = 0; k < 3; ++k) node[k] += static_cast<std::int32_t>(origin[static_cast<int>(k)]);
    return grid;
}

VdbGrid vdb_fog_volume(const SparseField& field, std::string name)
{
    VdbGrid grid;
    grid.name = std::move(name);
    grid.kind = VdbKind::FogVolume;
    grid.cell = field.cell();
    field.for_each_node([&](const GridIndex& node, std::size_t, float value) {
        if (!(value > 0)) return;
        grid.nodes.push_back(node);
        grid.values.push_back(std::min(value, 1.0f));
    });
    return grid;
}

VdbGrid vdb_vectors(const std::array<SparseField, 3>& components, const SparseField& weight, std::string name)
{
    for (const SparseField& component : components)
        if (component.block_count() != weight.block_count() || component.cell() != weight.cell())
            throw InputError("the components of a vector field must have the same blocks");
    VdbGrid grid;
    grid.name = std::move(name);
    grid.cell = weight.cell();
    grid.components = 3;
    weight.for_each_node([&](const GridIndex& node, std::size_t place, float value) {
        if (!(value > 0)) return;
        grid.nodes.push_back(node);
        for (const SparseField& component : components)
            grid.values.push_back(
                component.values(place / SparseField::block_size)[place % SparseField::block_size]);
    });
    return grid;
}

Buffer<std::byte> encode_vdb(std::span<const VdbGrid> grids)
{
    const OpenVdbSession session;
    openvdb::GridCPtrVec all;
    for (const VdbGrid& grid : grids) {
        if ((grid.components != 1 && grid.components != 3) ||
            grid.values.size() != grid.nodes.size() * static_cast<std::size_t>(grid.components))
            throw InputError("the grid \"" + grid.name + "\" has values that do not fit its nodes");
        all.push_back(to_openvdb(grid));
    }
    std::ostringstream stream(std::ios::binary);
    StreamArchive().write(stream, all);
    std::string bytes = std::move(stream).str();
    make_repeatable(bytes);
    Buffer<std::byte> buffer(bytes.size());
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
    return buffer;
}

std::vector<VdbGrid> decode_vdb(std::span<const std::byte> bytes, const std::string& name)
{
    const OpenVdbSession session;
    std::vector<VdbGrid> grids;
    try {
        std::istringstream stream(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                                  std::ios::binary);
        const openvdb::GridPtrVecPtr all = openvdb::io::Stream(stream, false).getGrids();
        // OpenVDB does not look whether the bytes were enough for the header.
        if (!stream) throw InputError("the file ends too early");
        for (const openvdb::GridBase::Ptr& from : *all) {
            VdbGrid grid;
            grid.name = from->getName();
            grid.kind = kind_of(from->getGridClass());
            if (!from->transform().isLinear() || !from->hasUniformVoxels())
                throw InputError("the grid \"" + grid.name + "\" has cells that are no cubes");
            grid.cell = from->voxelSize()[0];
            if (const auto scalars = openvdb::gridPtrCast<openvdb::FloatGrid>(from)) {
                grid.background = scalars->background();
                take_values(*scalars, grid, [&](float v) { grid.values.push_back(v); });
            } else if (const auto vectors = openvdb::gridPtrCast<openvdb::Vec3SGrid>(from)) {
                grid.components = 3;
                take_values(*vectors, grid, [&](const openvdb::Vec3s& v) {
                    grid.values.insert(grid.values.end(), {v[0], v[1], v[2]});
                });
            } else {
                continue;
            }
            grids.push_back(std::move(grid));
        }
    } catch (const InputError& error) {
        throw InputError(name + ": " + error.what());
    } catch (const std::exception& error) {
        throw InputError(name + ": is not an OpenVDB file that can be read: " + error.what());
    }
    return grids;
}

} // namespace phyxel
