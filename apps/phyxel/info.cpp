// SPDX-License-Identifier: MIT
#include "info.h"

#include "console.h"
#include "run_folders.h"
#include "shipped.h"
#include "text.h"
#include "validate.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/manifest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

using Rows = std::vector<std::vector<std::string>>;

/// For people: more digits would be noise.
constexpr int digits = 6;

std::string vector_text(const Vec<3>& v)
{
    return "[" + number_text(v[0], digits) + ", " + number_text(v[1], digits) + ", " +
           number_text(v[2], digits) + "]";
}

/// With its unit, if it is a number.
std::string quantity_text(double value, int digits_shown, const std::string& unit)
{
    const std::string text = digits_shown < 17 ? number_text(value, digits_shown) : number_text(value);
    return std::isfinite(value) ? text + " " + unit : text;
}

/// Smallest and largest of some numbers, and how many are none.
struct Range {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    std::size_t not_finite = 0;

    void add(double value)
    {
        if (!std::isfinite(value)) {
            ++not_finite;
            return;
        }
        // Adding zero makes a negative zero an ordinary one.
        min = std::min(min, value + 0.0);
        max = std::max(max, value + 0.0);
    }
};

/// Scalars and tensors by their numbers, vectors by their lengths.
Range range_of(const Field& field)
{
    Range range;
    std::visit(
        [&](const auto& values) {
            if (field.components != 3) {
                for (const auto value : values) range.add(static_cast<double>(value));
                return;
            }
            for (std::size_t i = 0; i + 2 < values.size(); i += 3)
                range.add(std::hypot(static_cast<double>(values[i]), static_cast<double>(values[i + 1]),
                                     static_cast<double>(values[i + 2])));
        },
        field.values);
    return range;
}

std::string type_text(const Field& field)
{
    struct Name {
        std::string operator()(const std::vector<double>&) const { return "double"; }
        std::string operator()(const std::vector<float>&) const { return "float"; }
        std::string operator()(const std::vector<std::int32_t>&) const { return "int32"; }
        std::string operator()(const std::vector<std::uint64_t>&) const { return "uint64"; }
    };
    const std::string name = std::visit(Name(), field.values);
    return field.components == 1 ? name : name + "×" + std::to_string(field.components);
}

Rows field_rows(const std::vector<Field>& fields)
{
    Rows rows = {{"field", "type", "min", "max", ""}};
    for (const Field& field : fields) {
        const Range range = range_of(field);
        const bool is_empty = range.min > range.max;
        std::string note = field.components == 3 ? "of the length" : "";
        if (range.not_finite > 0)
            note += (note.empty() ? "" : "; ") + count_text(range.not_finite) + " not finite";
        // Numbers of particles are exact.
        const int shown = std::holds_alternative<std::vector<std::uint64_t>>(field.values) ? 17 : digits;
        rows.push_back({field.name, type_text(field), is_empty ? "" : number_text(range.min, shown),
                        is_empty ? "" : number_text(range.max, shown), note});
    }
    return rows;
}

/// A surface in a few words: is it closed, how large is it, and what is wrong with it.
Rows surface_rows(const Snapshot& snapshot)
{
    const MeshReport report = check_mesh({snapshot.points, *snapshot.triangles});
    std::string defects;
    for (const std::string& defect : describe_defects(report))
        defects += (defects.empty() ? "" : ", ") + defect;
    return {{"surface", report.is_watertight ? "closed" : "open"},
            {"pieces", std::to_string(report.components)},
            {"area", quantity_text(report.area, 4, "m²")},
            {"volume", quantity_text(report.signed_volume, 4, "m³")},
            {"defects", defects.empty() ? "none" : defects}};
}

void print_snapshot(const fs::path& path)
{
    const SnapshotFile file = read_snapshot(path);
    const Snapshot& snapshot = file.snapshot;
    for (const std::string& warning : file.report.warnings) warn(warning);

    Rows rows;
    if (!snapshot.body.empty()) rows.push_back({"body", snapshot.body});
    if (!snapshot.body.empty() || snapshot.time != 0)
        rows.push_back({"time", quantity_text(snapshot.time, 17, "s")});
    rows.push_back({"points", count_text(snapshot.points.size()) + ", " +
                                  (file.is_double ? "double" : "single") + " precision"});
    Vec<3> min = Vec<3>::Constant(std::numeric_limits<double>::infinity());
    Vec<3> max = -min;
    std::size_t not_finite = 0;
    for (const Vec<3>& point : snapshot.points) {
        if (!point.allFinite()) {
            ++not_finite;
            continue;
        }
        min = min.cwiseMin(point);
        max = max.cwiseMax(point);
    }
    if (not_finite > 0) rows.push_back({"", count_text(not_finite) + " of them not finite"});
    if (min[0] <= max[0])
        rows.push_back(
            {"bounds", vector_text(min) + " to " + vector_text(max) + " m, size " + vector_text(max - min)});
    if (snapshot.triangles) {
        rows.push_back({"triangles", count_text(snapshot.triangles->size())});
        if (!snapshot.triangles->empty())
            for (std::vector<std::string>& row : surface_rows(snapshot)) rows.push_back(std::move(row));
    }
    print(path.string() + "\n" + aligned_columns(rows));
    if (!snapshot.fields.empty()) print("\n" + aligned_columns(field_rows(snapshot.fields)));
}

void print_checkpoint(const fs::path& path)
{
    const CheckpointReader checkpoint(path);
    Rows rows = {{"section", "type", "items", "size"}};
    for (const auto& section : checkpoint.summaries())
        rows.push_back({section.name, section.type, count_text(section.count),
                        bytes_text(static_cast<double>(section.bytes))});
    print(path.string() + "\ncheckpoint, whole, format " + std::to_string(checkpoint_version) + ", " +
          bytes_text(static_cast<double>(fs::file_size(path))) + "\n\n" + aligned_columns(rows));
}

/// The text or number at a key of an object, for people; empty if there is none.
std::string value_text(const Node& node, std::string_view key)
{
    const Node* value = node.is_object() ? node.find(key) : nullptr;
    if (value == nullptr) return {};
    return value->is_text() ? value->text() : to_line(*value);
}

double number_at(const Node& node, std::string_view key, double otherwise)
{
    const Node* value = node.is_object() ? node.find(key) : nullptr;
    return value != nullptr && value->is_number() ? value->number() : otherwise;
}

/// What a shape, a material or another choice is called.
std::string kind_text(const Node* node)
{
    if (node == nullptr) return {};
    if (node->is_text()) return node->text();
    if (!node->is_object() || node->members().empty()) return {};
    for (const char* key : {"from", "type"})
        if (const Node* word = node->find(key); word != nullptr && word->is_text()) return word->text();
    return node->members().front().key;
}

/// `derived` says how many particles each body has at the start.
Rows body_rows(const Node& scene, const Node* derived)
{
    const Node* counts =
        derived != nullptr && derived->is_object() ? derived->find("particles_of_bodies") : nullptr;
    Rows rows = {{"body", "type", "shape", "material", counts != nullptr ? "particles at the start" : ""}};
    if (const Node* bodies = scene.find("bodies"); bodies != nullptr && bodies->is_list())
        for (const Node& body : bodies->items()) {
            if (!body.is_object()) continue;
            const std::string name = value_text(body, "name");
            rows.push_back({name, value_text(body, "type"), kind_text(body.find("shape")),
                            kind_text(body.find("material")),
                            counts != nullptr ? value_text(*counts, name) : ""});
        }
    return rows;
}

void print_scene(const fs::path& path)
{
    const SceneCheck check = validate_file(path);
    print("\n" + aligned_columns(body_rows(check.resolved, &check.derived)));
}

/// Frames of one body.
struct BodyFrames {
    std::size_t count = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    fs::path last_path;
};

std::map<std::string, BodyFrames> frames_by_body(const fs::path& run)
{
    std::map<std::string, BodyFrames> bodies;
    for (const FrameFile& frame : find_frames(run)) {
        BodyFrames& body = bodies[frame.body];
        if (body.count++ == 0) body.first = frame.number;
        body.last = frame.number;
        body.last_path = frame.path;
    }
    return bodies;
}

/// Names and values of the last whole row of a table.
Rows last_row(const fs::path& path)
{
    std::error_code error;
    if (!fs::exists(path, error)) return {};
    const NumberTable table = read_number_table(path);
    if (table.row_count() == 0) return {};
    Rows rows;
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.columns[k] == "checksum") continue; // says nothing to people
        const double value = table.values[k].back();
        rows.push_back({table.columns[k], std::isnan(value) ? "" : number_text(value, digits)});
    }
    return rows;
}

void print_run(const fs::path& run)
{
    const Manifest manifest = read_manifest(run);
    const Node& scene = manifest.scene;
    ClockOptions clock;
    clock.duration = number_at(scene, "duration", clock.duration);
    clock.frame_rate = number_at(scene, "frame_rate", clock.frame_rate);
    const std::uint64_t last = clock.last_frame();
    const auto bodies = frames_by_body(run);
    const std::vector<CheckpointFile> checkpoints = find_checkpoints(run / "checkpoints");

    Rows rows = {{"scene", manifest.name + ", " + number_text(number_at(scene, "dimension", 3)) + "D, seed " +
                               value_text(scene, "seed")},
                 {"program", manifest.program}};
    std::uint64_t reached = 0;
    std::size_t count = 0;
    std::uint64_t first = last;
    for (const auto& [name, frames] : bodies) {
        reached = std::max(reached, frames.last);
        first = std::min(first, frames.first);
        count = std::max(count, frames.count);
    }
    if (bodies.empty()) {
        rows.push_back({"state", "not begun"});
    } else {
        rows.push_back({"state", reached == last
                                     ? "finished"
                                     : "frame " + count_text(reached) + " of " + count_text(last)});
        rows.push_back({"frames", count_text(count) + ", " + std::to_string(first) + " to " +
                                      std::to_string(reached) + ", at " +
                                      number_text(clock.frame_time(first), digits) + " s to " +
                                      number_text(clock.frame_time(reached), digits) + " s"});
    }
    if (!checkpoints.empty()) {
        std::string steps;
        for (const CheckpointFile& checkpoint : checkpoints)
            steps += (steps.empty() ? "" : ", ") + count_text(checkpoint.number);
        rows.push_back({"checkpoints", "at step " + steps});
    }
    const FolderSize size = folder_size(run);
    rows.push_back({"size", bytes_text(size.bytes) + " in " + count_text(size.files, "file", "files")});
    print(run.string() + "\n" + aligned_columns(rows) + "\n" +
          aligned_columns(body_rows(scene, &manifest.derived)));
    if (const Rows stats = last_row(run / "stats.csv"); !stats.empty())
        print("\nlast row of stats.csv\n" + aligned_columns(stats));
}

} // namespace

void print_info(const InfoCommand& command)
{
    const fs::path path = find_run(command.path);
    std::error_code error;
    if (!fs::exists(path, error)) {
        const std::vector<ShippedExample> examples = shipped_examples();
        const auto example = std::find_if(examples.begin(), examples.end(),
                                          [&](const ShippedExample& e) { return e.name == command.path; });
        if (example == examples.end()) throw InputError(path.string() + ": no such file, folder or example");
        print_scene(example->path);
        return;
    }
    const std::string extension = path.extension().string();
    if (fs::is_directory(path))
        print_run(path);
    else if (path.filename() == manifest_name)
        print_run(path.has_parent_path() ? path.parent_path() : fs::path("."));
    else if (extension == ".json")
        print_scene(path);
    else if (extension == ".phyxel")
        print_checkpoint(path);
    else
        print_snapshot(path);
}

} // namespace phyxel::command
