// SPDX-License-Identifier: MIT
#include "fragments.h"

#include "frame_progress.h"
#include "frame_range.h"
#include "run_fluids.h"
#include "run_folders.h"
#include "surface_folder.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/fracture/fragment_mesh.h>
#include <phyxel/geometry/mesh_solid.h>
#include <phyxel/geometry/rigid_fit.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/kinds/solid/carried_fragments.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view asked_fields = "\"output\": { \"fields\": [\"fragment\", \"rest_position\"] }";

/// What a frame has of a solid, by the ids of its phyxels.
struct SolidFrame {
    double time = 0.0;
    bool is_double = false;
    std::vector<std::uint64_t> ids;
    std::vector<Vec<3>> rest, positions, velocities;
    std::vector<std::uint32_t> fragments;
};

SolidFrame read_solid(const FrameFile& frame)
{
    const SnapshotFile file = read_snapshot(frame.path);
    const Snapshot& solid = file.snapshot;
    const Field *fragment = solid.find("fragment"), *id = solid.find("id");
    const std::vector<Vec<3>> rest = vectors_of(solid, "rest_position");
    if (fragment == nullptr || fragment->components != 1 || rest.size() != solid.points.size())
        throw InputError(frame.path.string() + ": has not all of " + std::string(asked_fields));
    const auto* ids = id != nullptr ? std::get_if<std::vector<std::uint64_t>>(&id->values) : nullptr;
    if (ids == nullptr || ids->size() != rest.size())
        throw InputError(frame.path.string() + ": its points have no ids");
    const std::vector<double> numbers = magnitudes(*fragment);
    std::vector<Vec<3>> velocities = vectors_of(solid, "velocity");
    velocities.resize(rest.size(), Vec<3>::Zero());
    std::vector<std::size_t> order(rest.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return (*ids)[a] < (*ids)[b]; });
    SolidFrame read;
    read.time = solid.time;
    read.is_double = file.is_double;
    for (const std::size_t i : order) {
        const bool is_sound = rest[i].allFinite() && solid.points[i].allFinite() && numbers[i] >= 0.0 &&
                              numbers[i] < static_cast<double>(rest.size());
        if (!is_sound) throw InputError(frame.path.string() + ": has a phyxel that makes no sense");
        read.ids.push_back((*ids)[i]);
        read.rest.push_back(rest[i]);
        read.positions.push_back(solid.points[i]);
        read.velocities.push_back(velocities[i]);
        read.fragments.push_back(static_cast<std::uint32_t>(numbers[i]));
    }
    return read;
}

fs::path skin_path(const FrameFile& frame)
{
    return frame.path.parent_path() /
           frame_file_name(frame.body + "_surface", frame.number, frame.path.extension().string());
}

/// The skin at rest without the faces of cracks, and these: one side of each.
struct RestSkin {
    TriangleMesh whole;
    TriangleMesh cracks;

    bool operator==(const RestSkin& other) const
    {
        return cracks.vertices == other.cracks.vertices && cracks.triangles == other.cracks.triangles;
    }
};

RestSkin read_skin(const FrameFile& frame)
{
    const fs::path path = skin_path(frame);
    const Snapshot skin = read_snapshot(path).snapshot;
    const std::vector<Vec<3>> rest = vectors_of(skin, "rest_position");
    const Field* side = skin.find("crack_side");
    if (!skin.triangles || side == nullptr || rest.size() != skin.points.size())
        throw InputError(path.string() + ": is no skin of triangles with places at rest");
    const std::vector<double> sides = std::visit(
        [](const auto& values) { return std::vector<double>(values.begin(), values.end()); }, side->values);
    RestSkin read;
    std::map<Index, Index> numbers;
    read.whole.vertices = rest;
    for (const auto& triangle : *skin.triangles) {
        const auto has = [&](double value) {
            return std::any_of(triangle.begin(), triangle.end(), [&](Index k) { return sides[k] == value; });
        };
        if (has(0.0)) {
            read.whole.triangles.push_back(triangle);
        } else if (!has(-1.0)) {
            std::array<Index, 3> face;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [place, is_new] =
                    numbers.try_emplace(triangle[k], static_cast<Index>(read.cracks.vertices.size()));
                if (is_new) read.cracks.vertices.push_back(rest[triangle[k]]);
                face[k] = place->second;
            }
            read.cracks.triangles.push_back(face);
        }
    }
    return read;
}

CrackSheets<3> sheets_of(const RestSkin& skin, double spacing)
{
    CrackSheets<3> cracks(spacing);
    for (const Vec<3>& x : skin.cracks.vertices) cracks.add_node(x, 0.0);
    for (const auto& face : skin.cracks.triangles) {
        // Where a face leaves the body little of it may be left.
        const std::array<Vec<3>, 3> corners = {skin.cracks.vertices[face[0]], skin.cracks.vertices[face[1]],
                                               skin.cracks.vertices[face[2]]};
        if (measure_of<3>(corners) > 1e-9 * spacing * spacing) cracks.add_face(face, 0);
    }
    return cracks;
}

/// The pieces of one solid, made anew whenever its cracks or its pieces are others.
class Solid {
public:
    Solid(std::string name, double spacing, double cell)
        : name_(std::move(name)),
          spacing_(spacing),
          cell_(cell)
    {
    }

    /// As they are at rest.
    FragmentMesh rest(const FrameFile& frame, const SolidFrame& solid)
    {
        CarriedFragments& pieces = carried(frame, solid);
        FragmentMesh mesh = pieces.mesh();
        pieces.update(solid.rest, mesh.vertices);
        return mesh;
    }

    Snapshot snapshot(const FrameFile& frame, const SolidFrame& solid)
    {
        CarriedFragments& pieces = carried(frame, solid);
        const FragmentMesh& mesh = pieces.mesh();
        Snapshot made;
        made.body = name_ + "_fragments";
        made.time = solid.time;
        made.points = mesh.vertices;
        pieces.update(solid.positions, made.points);
        std::vector<Vec<3>> velocities(mesh.vertices.size(), Vec<3>::Zero());
        pieces.transfer(solid.velocities, velocities);
        std::vector<std::int32_t> fragments(mesh.fragment.begin(), mesh.fragment.end()),
            is_crack(mesh.is_crack.begin(), mesh.is_crack.end());
        made.fields.push_back(vector_field<3, double>("velocity", velocities));
        made.fields.push_back({"fragment", 1, std::move(fragments)});
        made.fields.push_back({"is_crack", 1, std::move(is_crack)});
        made.triangles = mesh.triangles;
        return made;
    }

private:
    CarriedFragments& carried(const FrameFile& frame, const SolidFrame& solid)
    {
        RestSkin skin = read_skin(frame);
        if (made_ && skin == skin_ && solid.rest == rest_ && solid.fragments == fragments_) return *made_;
        // The shape stays, but for what cracks have cut of its skin.
        if (!mesher_) mesher_.emplace(Shape<3>(MeshSolid(skin.whole)), cell_ * spacing_);
        const CrackSheets<3> cracks = sheets_of(skin, spacing_);
        made_.emplace(mesher_->mesh(solid.rest, solid.fragments, cracks), solid.rest, solid.fragments,
                      spacing_, cracks);
        skin_ = std::move(skin);
        rest_ = solid.rest;
        fragments_ = solid.fragments;
        return *made_;
    }

    std::string name_;
    double spacing_, cell_;
    std::optional<FragmentMesher> mesher_;
    RestSkin skin_;
    std::vector<Vec<3>> rest_;
    std::vector<std::uint32_t> fragments_;
    std::optional<CarriedFragments> made_;
};

/// The frames of solids that have their fragments, by number.
std::vector<FrameFile> find_solids(const fs::path& run, const SurfaceCommand& command,
                                   const std::map<std::string, double>& spacings)
{
    const FrameRange range = command.frames.empty() ? FrameRange{} : parse_frames(command.frames);
    std::vector<FrameFile> frames;
    std::map<std::string, bool> are_solids;
    for (FrameFile& frame : find_frames(run)) {
        if (!spacings.contains(frame.body)) continue;
        const auto [is_solid, is_new] = are_solids.try_emplace(frame.body, false);
        if (is_new) is_solid->second = read_snapshot(frame.path).snapshot.find("fragment") != nullptr;
        if (!is_solid->second || frame.number < range.first || (range.end && frame.number >= *range.end))
            continue;
        frames.push_back(std::move(frame));
    }
    if (frames.empty())
        throw InputError(run.string() + ": has no frame of a solid with its fragments" +
                         (command.frames.empty() ? "" : " in the range " + command.frames) +
                         "; a scene asks for them by " + std::string(asked_fields));
    std::stable_sort(frames.begin(), frames.end(),
                     [](const FrameFile& a, const FrameFile& b) { return a.number < b.number; });
    return frames;
}

ExitCode make_meshes(const SurfaceCommand& command, const fs::path& run, const fs::path& folder)
{
    const std::map<std::string, double> spacings = spacings_of_bodies(run);
    const std::vector<FrameFile> frames = find_solids(run, command, spacings);
    const auto output = [&](const FrameFile& frame) {
        return folder / frame_file_name(frame.body + "_fragments", frame.number, "." + command.format);
    };
    SurfaceFolder done(folder / "fragments.txt",
                       "These fragments were made with:\ncell " + number_text(command.options.cell) + "\n",
                       command.redo);
    const auto stale = [&] {
        std::vector<fs::path> files;
        for (const FrameFile& frame : find_frames(run))
            for (const char* format : {".ply", ".obj"})
                files.push_back(folder / frame_file_name(frame.body + "_fragments", frame.number, format));
        return files;
    };
    FrameProgress progress(command.quiet, "mesh", frames.size());
    std::map<std::string, Solid> solids;
    std::size_t made = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const FrameFile& frame = frames[k];
        if (done.is_done(output(frame), std::array{frame.path, skin_path(frame)})) continue;
        if (!is_body_name(frame.body + "_fragments"))
            throw InputError("the name \"" + frame.body +
                             "\" is too long to have \"_fragments\" added to it");
        done.prepare(stale);
        const double spacing = spacings.at(frame.body);
        Solid& solid =
            solids.try_emplace(frame.body, frame.body, spacing, command.options.cell).first->second;
        const SolidFrame read = read_solid(frame);
        write_snapshot(output(frame), solid.snapshot(frame, read), {.double_precision = read.is_double});
        ++made;
        progress.show(k + 1);
        if (progress.is_stopped("goes on")) return Interrupted;
    }
    progress.clear();
    if (!command.quiet)
        print(output(frames.back()).string() + ": " + count_text(made, "mesh", "meshes") + " made, " +
              count_text(frames.size() - made, "was", "were") + " there before\n");
    return Done;
}

/// A piece of the last frame.
struct RigidPiece {
    std::string name;
    std::string solid;
    std::vector<std::uint64_t> ids;
    std::vector<Vec<3>> rest;
    Vec<3> center = Vec<3>::Zero();       ///< of mass, at rest [m]
    Mat<3> rotation = Mat<3>::Identity(); ///< in the last frame that was looked at
};

Vec<3> center_of(const FragmentMesh& mesh, std::size_t fragment)
{
    const Vec<3> origin = mesh.vertices[mesh.first_vertex[fragment]];
    Vec<3> moment = Vec<3>::Zero();
    double volume = 0.0;
    for (std::size_t t = mesh.first_triangle[fragment]; t < mesh.first_triangle[fragment + 1]; ++t) {
        const auto& [i, j, k] = mesh.triangles[t];
        const Vec<3> a = mesh.vertices[i] - origin, b = mesh.vertices[j] - origin,
                     c = mesh.vertices[k] - origin;
        const double part = a.dot(b.cross(c)) / 6.0;
        volume += part;
        moment += 0.25 * part * (a + b + c);
    }
    return volume > 0.0 ? Vec<3>(origin + moment / volume) : origin;
}

/// The pieces of one solid, whose meshes are written.
std::vector<RigidPiece> write_pieces(const FrameFile& frame, const SurfaceCommand& command,
                                     const fs::path& folder, double spacing)
{
    const SolidFrame read = read_solid(frame);
    Solid solid(frame.body, spacing, command.options.cell);
    const FragmentMesh mesh = solid.rest(frame, read);
    std::vector<RigidPiece> pieces;
    for (std::size_t fragment = 0; fragment < mesh.count(); ++fragment) {
        const std::size_t first = mesh.first_vertex[fragment], last = mesh.first_vertex[fragment + 1];
        if (first == last) continue;
        RigidPiece piece;
        piece.name = frame.body + "_fragment_" + std::to_string(fragment);
        piece.solid = frame.body;
        piece.center = center_of(mesh, fragment);
        for (std::size_t i = 0; i < read.ids.size(); ++i)
            if (read.fragments[i] == fragment) {
                piece.ids.push_back(read.ids[i]);
                piece.rest.push_back(read.rest[i]);
            }
        Snapshot made;
        made.body = piece.name;
        made.time = read.time;
        for (std::size_t k = first; k < last; ++k) made.points.push_back(mesh.vertices[k] - piece.center);
        made.triangles.emplace();
        for (std::size_t t = mesh.first_triangle[fragment]; t < mesh.first_triangle[fragment + 1]; ++t) {
            std::array<Index, 3> triangle = mesh.triangles[t];
            for (Index& corner : triangle) corner -= static_cast<Index>(first);
            made.triangles->push_back(triangle);
        }
        write_snapshot(folder / (piece.name + "." + command.format), made,
                       {.double_precision = read.is_double});
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

ExitCode make_rigid(const SurfaceCommand& command, const fs::path& run, const fs::path& folder)
{
    const std::map<std::string, double> spacings = spacings_of_bodies(run);
    const std::vector<FrameFile> frames = find_solids(run, command, spacings);
    std::map<std::string, FrameFile> last;
    for (const FrameFile& frame : frames) last.insert_or_assign(frame.body, frame);
    create_folder(folder);
    std::vector<RigidPiece> pieces;
    for (const auto& [name, frame] : last)
        for (RigidPiece& piece : write_pieces(frame, command, folder, spacings.at(name)))
            pieces.push_back(std::move(piece));

    // As poses.csv of a run with rigid bodies.
    CsvTable table(folder / "poses.csv", {"time", "frame", "body", "position_x", "position_y", "position_z",
                                          "rotation_w", "rotation_x", "rotation_y", "rotation_z"});
    FrameProgress progress(command.quiet, "frame", frames.size());
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const FrameFile& frame = frames[k];
        const SolidFrame read = read_solid(frame);
        for (RigidPiece& piece : pieces) {
            if (piece.solid != frame.body) continue;
            std::vector<Vec<3>> rest, now;
            for (std::size_t i = 0; i < piece.ids.size(); ++i) {
                const auto id = std::lower_bound(read.ids.begin(), read.ids.end(), piece.ids[i]);
                if (id == read.ids.end() || *id != piece.ids[i]) continue;
                rest.push_back(piece.rest[i]);
                now.push_back(read.positions[static_cast<std::size_t>(id - read.ids.begin())]);
            }
            if (rest.empty()) continue;
            const RigidFit fit = fit_rigid(rest, now, piece.center, piece.rotation);
            piece.rotation = fit.rotation;
            Eigen::Quaterniond q(fit.rotation);
            q.normalize();
            if (q.w() < 0.0) q.coeffs() = -q.coeffs();
            table.add_row(std::vector<TableCell>{read.time, static_cast<double>(frame.number), piece.name,
                                                 fit.position[0], fit.position[1], fit.position[2], q.w(),
                                                 q.x(), q.y(), q.z()});
        }
        progress.show(k + 1);
        if (progress.is_stopped("begins again")) return Interrupted;
    }
    progress.clear();
    if (!command.quiet)
        print((folder / "poses.csv").string() + ": poses of " +
              count_text(pieces.size(), "fragment", "fragments") + "\n");
    return Done;
}

} // namespace

ExitCode make_fragments(const SurfaceCommand& command)
{
    if (command.format != "ply" && command.format != "obj")
        throw InputError("--format " + command.format + ": fragments are made as ply or obj");
    if (!(command.options.cell >= 0.05 && command.options.cell <= 4.0))
        throw InputError("--cell: must be between 0.05 and 4");
    const fs::path run = find_run(command.run);
    // Not among the frames, where they would be bodies of the run.
    const fs::path folder = command.folder.empty() ? run / "fragments" : command.folder;
    return command.rigid ? make_rigid(command, run, folder) : make_meshes(command, run, folder);
}

} // namespace phyxel::command
