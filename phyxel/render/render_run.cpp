// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/snapshot.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/render/legend.h>
#include <phyxel/render/render_run.h>
#include <phyxel/search/kd_tree.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view surface_suffix = "_surface";

/// The body that a surface belongs to, or the name itself.
std::string body_of(const std::string& name)
{
    return name.ends_with(surface_suffix) ? name.substr(0, name.size() - surface_suffix.size()) : name;
}

/// Numbers to colour by: a scalar itself, of vectors and tensors the magnitude.
std::vector<double> magnitudes(const Field& field)
{
    const auto n = static_cast<std::size_t>(field.components);
    std::vector<double> result(field.size());
    std::visit(
        [&](const auto& values) {
            for (std::size_t i = 0; i < result.size(); ++i) {
                if (n == 1) {
                    result[i] = static_cast<double>(values[i]);
                    continue;
                }
                double largest = 0.0;
                for (std::size_t k = 0; k < n; ++k)
                    largest = std::max(largest, std::abs(static_cast<double>(values[n * i + k])));
                double sum = 0.0;
                for (std::size_t k = 0; k < n && largest > 0.0; ++k) {
                    const double part = static_cast<double>(values[n * i + k]) / largest;
                    sum += part * part;
                }
                result[i] = largest * std::sqrt(sum);
            }
        },
        field.values);
    return result;
}

/// What one file adds to the look at the whole run.
struct Scan {
    Box<3> bounds;
    std::optional<ValueRange> range;
    bool has_field = false;
    bool is_vector = false;
    std::vector<std::string> fields;
};

/// All but the outermost half percent at either end: one particle that was hit hard should not take all
/// colours from the others.
std::optional<ValueRange> usual_range(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return std::nullopt;
    const std::size_t cut = values.size() / 200;
    const auto low = values.begin() + static_cast<std::ptrdiff_t>(cut);
    std::nth_element(values.begin(), low, values.end());
    const double min = *low;
    const auto high = values.end() - 1 - static_cast<std::ptrdiff_t>(cut);
    std::nth_element(values.begin(), high, values.end());
    return ValueRange{min, *high};
}

/// Half the usual distance to the nearest other particle.
double usual_radius(const std::vector<Vec<3>>& points)
{
    std::vector<Vec<3>> finite;
    std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
                 [](const Vec<3>& x) { return x.allFinite(); });
    if (finite.size() < 2) return 0.0;
    const KdTree<3> tree{std::span<const Vec<3>>(finite)};
    std::vector<double> distances;
    std::vector<Neighbor<double>> found;
    const std::size_t stride = std::max<std::size_t>(1, finite.size() / 1000);
    for (std::size_t i = 0; i < finite.size(); i += stride) {
        tree.nearest(finite[i], 2, found);
        distances.push_back(found[1].distance);
    }
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return 0.5 * *middle;
}

Snapshot read_frame(const fs::path& path)
{
    if (path.extension() != ".ply")
        throw InputError(path.string() + ": frames of this kind cannot be read; allowed: .ply");
    return read_snapshot(path).snapshot;
}

std::string text_of(const Vec<3>& x)
{
    return number_text(x[0]) + " " + number_text(x[1]) + " " + number_text(x[2]);
}

} // namespace

RunPictures::RunPictures(fs::path run, RunSurroundings surroundings, RunPictureOptions options)
    : run_(std::move(run)),
      surroundings_(std::move(surroundings)),
      options_(std::move(options))
{
    if (!is_picture_extension(options_.extension))
        throw InputError("pictures of the kind \"" + options_.extension +
                         "\" cannot be written; allowed: .png, .jpg, .jpeg");
    if (options_.name.empty()) options_.name = options_.color.empty() ? "bodies" : options_.color;
    if (!is_body_name(options_.name)) throw InputError("pictures cannot be named \"" + options_.name + "\"");
    if (options_.folder.empty()) options_.folder = run_ / "pictures";
    std::error_code ignored;
    if (!fs::is_directory(run_, ignored)) throw InputError(run_.string() + ": no such run");
    std::set<std::string> bodies;
    std::set<std::uint64_t> numbers;
    for (FrameFile& file : find_frames(run_)) {
        numbers.insert(file.number);
        bodies.insert(body_of(file.body));
        sources_.push_back({std::move(file.body), file.number, std::move(file.path)});
    }
    if (sources_.empty())
        throw InputError(run_.string() + ": there are no frames in " + (run_ / "frames").string());
    bodies_.assign(bodies.begin(), bodies.end());
    for (const std::uint64_t number : numbers)
        if (number >= options_.first_frame && number <= options_.last_frame) frames_.push_back(number);
    if (frames_.empty())
        throw InputError(run_.string() + ": none of the frames that were asked for exist; there are " +
                         std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin()));
    look_at_run();
    read_settings();
}

void RunPictures::look_at_run()
{
    const bool wants_field = !options_.color.empty() && options_.color != "body";
    std::vector<Scan> scans(sources_.size());
    parallel_for(
        sources_.size(),
        [&](Index i) {
            const Snapshot snapshot = read_frame(sources_[i].path);
            Scan& scan = scans[i];
            for (const Vec<3>& x : snapshot.points)
                if (x.allFinite()) scan.bounds.extend(x);
            for (const Field& field : snapshot.fields) scan.fields.push_back(field.name);
            const Field* field = wants_field ? snapshot.find(options_.color) : nullptr;
            if (field == nullptr) return;
            scan.has_field = true;
            scan.is_vector = field->components > 1;
            if (!options_.range) scan.range = usual_range(magnitudes(*field));
        },
        1);

    bool has_field = false;
    bool is_vector = false;
    std::optional<ValueRange> range;
    std::set<std::string> fields;
    for (const Scan& scan : scans) {
        bounds_.extend(scan.bounds);
        has_field = has_field || scan.has_field;
        is_vector = is_vector || scan.is_vector;
        fields.insert(scan.fields.begin(), scan.fields.end());
        if (scan.range && range)
            range = ValueRange{std::min(range->min, scan.range->min), std::max(range->max, scan.range->max)};
        else if (scan.range)
            range = scan.range;
    }
    if (wants_field && !has_field) {
        fields.insert("body");
        const std::vector<std::string_view> known(fields.begin(), fields.end());
        throw InputError(run_.string() + ": no body has a field \"" + options_.color + "\"; " +
                         suggestion(options_.color, known) + "allowed: " + word_list(known));
    }
    if (options_.range) range = options_.range;
    if (range && !options_.range && is_vector) range->min = 0.0;
    if (range) range_ = *range;
    // Equal values everywhere still need a bar with two ends.
    if (!(range_.max > range_.min)) {
        const double room = std::max(std::abs(range_.min) * 0.5, 1e-12);
        range_ = {range_.min - room, range_.max + room};
    }
    if (!options_.range) range_ = rounded_range(range_);
    map_ = options_.map.value_or(options_.color == "temperature" ? ColorMap::Inferno : ColorMap::Viridis);

    radius_ = surroundings_.particle_radius;
    for (std::size_t i = 0; i < sources_.size() && radius_ <= 0.0; ++i)
        radius_ = usual_radius(read_frame(sources_[i].path).points);
    if (radius_ <= 0.0)
        radius_ = bounds_.is_empty() || bounds_.longest_side() <= 0.0 ? 0.01 : 0.01 * bounds_.longest_side();

    // Obstacles and the domain are shown as far as they are near the bodies: what is a hundred times larger
    // would leave them a speck.
    Box<3> seen = bounds_;
    if (!seen.is_empty()) {
        seen.min.array() -= radius_;
        seen.max.array() += radius_;
    }
    Box<3> near = seen;
    if (!near.is_empty()) {
        const double room = 0.6 * near.longest_side();
        near.min.array() -= room;
        near.max.array() += room;
    }
    const auto include = [&](const Box<3>& box) {
        const Box<3> part = near.is_empty() ? box : overlap(box, near);
        if (!part.is_empty()) seen.extend(part);
    };
    if (surroundings_.domain) include(*surroundings_.domain);
    if (surroundings_.obstacles)
        for (const DrawnMesh& obstacle : surroundings_.obstacles(0.0)) include(phyxel::bounds(obstacle.mesh));
    bounds_ = seen;

    const double aspect = double(std::max(1, options_.render.width)) / std::max(1, options_.render.height);
    FramingOptions framing = options_.framing;
    if (options_.draw_legend) framing.bottom_margin = std::max(framing.bottom_margin, 0.14);
    if (options_.camera)
        camera_ = *options_.camera;
    else if (surroundings_.dimension == 2)
        camera_ = front_camera(bounds_, aspect, options_.framing.margin, framing.bottom_margin);
    else
        camera_ = framing_camera(bounds_, aspect, framing);
    check_camera(camera_);
    lighting_ = lighting_for(camera_);
}

std::string RunPictures::settings() const
{
    std::string text = "These pictures were made with:\n";
    const auto add = [&](std::string_view name, const std::string& value) {
        text += std::string(name) + " " + value + "\n";
    };
    add("size", std::to_string(options_.render.width) + "x" + std::to_string(options_.render.height));
    add("samples", std::to_string(options_.render.samples));
    add("seed", std::to_string(options_.render.seed));
    add("from", text_of(camera_.from));
    add("look_at", text_of(camera_.look_at));
    add("up", text_of(camera_.up));
    add("fov", number_text(camera_.fov) + (camera_.is_parallel ? " parallel" : ""));
    add("orbit", number_text(options_.orbit));
    add("color", options_.color.empty() ? "-" : options_.color);
    add("range", number_text(range_.min) + " " + number_text(range_.max));
    add("map", map_ == ColorMap::Viridis ? "viridis" : "inferno");
    add("radius", number_text(radius_));
    add("legend", options_.draw_legend ? "yes" : "no");
    add("domain", options_.draw_domain ? "yes" : "no");
    return text;
}

void RunPictures::read_settings()
{
    const fs::path file = options_.folder / (options_.name + ".txt");
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return;
    const Buffer<std::byte> bytes = read_file(file);
    has_same_settings_ =
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == settings();
    are_settings_written_ = has_same_settings_;
}

fs::path RunPictures::path(std::uint64_t frame) const
{
    return options_.folder / frame_file_name(options_.name, frame, options_.extension);
}

bool RunPictures::is_done(std::uint64_t frame) const
{
    std::error_code ignored;
    return !options_.redo && has_same_settings_ && fs::is_regular_file(path(frame), ignored);
}

RenderScene RunPictures::scene_of(std::uint64_t frame, double& time) const
{
    RenderScene scene;
    std::set<std::string> with_surface;
    for (const Source& source : sources_)
        if (source.number == frame && source.body != body_of(source.body))
            with_surface.insert(body_of(source.body));

    bool has_time = false;
    for (const Source& source : sources_) {
        if (source.number != frame) continue;
        // A fluid with a surface is seen as one.
        if (with_surface.contains(source.body)) continue;
        Snapshot snapshot = read_frame(source.path);
        if (!has_time) time = snapshot.time;
        has_time = true;

        const auto body = static_cast<std::size_t>(
            std::find(bodies_.begin(), bodies_.end(), body_of(source.body)) - bodies_.begin());
        std::vector<Color> colors;
        const Field* field =
            options_.color.empty() || options_.color == "body" ? nullptr : snapshot.find(options_.color);
        if (field != nullptr) {
            const std::vector<double> values = magnitudes(*field);
            colors.resize(values.size());
            parallel_for(values.size(),
                         [&](Index i) { colors[i] = map_color(map_, range_.fraction(values[i])); });
        } else {
            colors = {options_.color.empty() || options_.color == "body" ? palette_color(body)
                                                                         : map_color(map_, std::nan(""))};
        }
        if (snapshot.triangles) {
            scene.meshes.push_back(
                {{std::move(snapshot.points), std::move(*snapshot.triangles)}, std::move(colors)});
            continue;
        }
        std::vector<float> radii = {static_cast<float>(radius_)};
        if (const Field* radius = snapshot.find("radius"); radius != nullptr && radius->components == 1) {
            const std::vector<double> values = magnitudes(*radius);
            radii.resize(values.size());
            for (std::size_t i = 0; i < values.size(); ++i)
                radii[i] = std::isfinite(values[i]) ? static_cast<float>(std::max(0.0, values[i])) : 0.0f;
        }
        const Field* normal = snapshot.find("normal");
        if (normal != nullptr && normal->components == 3) {
            DrawnSurfels surfels{std::move(snapshot.points), {}, std::move(radii), std::move(colors)};
            std::visit(
                [&](const auto& values) {
                    for (std::size_t i = 0; i < surfels.centers.size(); ++i)
                        surfels.normals.emplace_back(double(values[3 * i]), double(values[3 * i + 1]),
                                                     double(values[3 * i + 2]));
                },
                normal->values);
            // Discs as wide as the particles' distance leave holes between them.
            if (surfels.radii.size() == 1) surfels.radii[0] *= 1.5f;
            scene.surfels.push_back(std::move(surfels));
        } else {
            scene.spheres.push_back({std::move(snapshot.points), std::move(radii), std::move(colors)});
        }
    }
    if (surroundings_.obstacles)
        for (DrawnMesh& obstacle : surroundings_.obstacles(time)) scene.meshes.push_back(std::move(obstacle));
    if (surroundings_.domain && options_.draw_domain) {
        DrawnBox box{*surroundings_.domain};
        if (surroundings_.dimension == 2) box.box.min[2] = box.box.max[2] = 0.0;
        scene.boxes.push_back(box);
    }
    Ground ground;
    if (surroundings_.dimension == 2) {
        // A wall behind the plane, on which things throw a soft shadow.
        ground.normal = Vec<3>::UnitZ();
        ground.point = Vec<3>(0.0, 0.0, -1.5 * radius_);
    } else {
        // A little lower, so that lines and faces that lie on it are seen.
        if (!bounds_.is_empty()) ground.point[2] = bounds_.min[2] - 1e-3 * bounds_.longest_side();
    }
    scene.ground = ground;
    scene.lighting = lighting_;
    return scene;
}

Picture RunPictures::draw(std::uint64_t frame) const
{
    double time = 0.0;
    const RenderScene scene = scene_of(frame, time);
    const Camera camera = options_.orbit == 0.0 ? camera_ : orbited(camera_, options_.orbit * time);
    Picture picture = develop(render_image(scene, camera, options_.render));
    if (!options_.draw_legend) return picture;
    if (!options_.color.empty() && options_.color != "body") {
        phyxel::draw_legend(picture,
                            ColorBar{map_, range_, options_.color, std::string(field_unit(options_.color))});
    } else if (bodies_.size() > 1) {
        std::vector<LegendEntry> entries;
        for (std::size_t i = 0; i < bodies_.size(); ++i) entries.push_back({palette_color(i), bodies_[i]});
        phyxel::draw_legend(picture, entries);
    }
    draw_time(picture, time);
    return picture;
}

void RunPictures::make(std::uint64_t frame)
{
    const Picture picture = draw(frame);
    create_folder(options_.folder);
    if (!are_settings_written_) {
        // Pictures made with other options must not be taken for finished ones, now or by a later call that
        // asks for other frames.
        for (const Source& source : sources_)
            for (const char* extension : {".png", ".jpg", ".jpeg"})
                remove_file(options_.folder / frame_file_name(options_.name, source.number, extension));
        write_file(options_.folder / (options_.name + ".txt"), settings());
        are_settings_written_ = true;
        has_same_settings_ = true;
    }
    write_picture(path(frame), picture);
}

std::size_t render_run(const fs::path& run, const RunSurroundings& surroundings,
                       const RunPictureOptions& options,
                       const std::function<void(std::uint64_t frame)>& progress)
{
    RunPictures pictures(run, surroundings, options);
    std::size_t made = 0;
    for (const std::uint64_t frame : pictures.frames()) {
        if (pictures.is_done(frame)) continue;
        if (progress) progress(frame);
        pictures.make(frame);
        ++made;
    }
    return made;
}

} // namespace phyxel
