// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/snapshot.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/render/detail/snapshot_drawing.h>
#include <phyxel/render/frame_pictures.h>
#include <phyxel/render/stroke_text.h>

#include <algorithm>
#include <cmath>
#include <numbers>
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

/// What one file adds to the look at all of them.
struct Scan {
    Box<3> bounds;
    std::optional<ValueRange> range;
    bool has_field = false;
    bool is_vector = false;
    double time = 0.0;
    std::size_t point_count = 0;
    bool has_faces = false;
    std::vector<Vec<3>> samples;
    std::vector<std::string> fields;
};

Scan scan_file(const fs::path& path, const std::string& color, bool needs_range)
{
    const Snapshot snapshot = read_snapshot(path).snapshot;
    Scan scan;
    for (const Vec<3>& x : snapshot.points)
        if (x.allFinite()) scan.bounds.extend(x);
    for (const Field& field : snapshot.fields) scan.fields.push_back(field.name);
    scan.time = std::isfinite(snapshot.time) ? snapshot.time : 0.0;
    scan.point_count = snapshot.points.size();
    scan.has_faces = snapshot.triangles && !snapshot.triangles->empty();
    constexpr std::size_t most_samples = 200;
    for (std::size_t i = 0; i < snapshot.points.size(); i += 1 + snapshot.points.size() / most_samples)
        if (snapshot.points[i].allFinite()) scan.samples.push_back(snapshot.points[i]);
    const Field* field = snapshot.find(color);
    if (field == nullptr) return scan;
    scan.has_field = true;
    scan.is_vector = field->components > 1;
    if (needs_range) scan.range = detail::usual_range(magnitudes(*field));
    return scan;
}

std::string text_of(const Vec<3>& x)
{
    return number_text(x[0]) + " " + number_text(x[1]) + " " + number_text(x[2]);
}

/// What `phyxel foam` makes.
bool is_foam(std::string_view body) { return body.ends_with("_foam"); }

// How far beside the bodies their surroundings are seen, in lengths of what the bodies reach.
constexpr double domain_seen = 0.15;
constexpr double floor_seen = 1.0;
constexpr double obstacle_seen = 0.5;

// Names of runs at the upper edge of a picture 720 pixels high, and the base line that they stand on.
// [pixels]
constexpr double names_line = 42.0;
constexpr double names_height = 50.0;

/// So far away that the box stays within the margins while the camera turns by `angle`.
Camera backed_off(Camera camera, const Box<3>& box, double aspect, const FramingOptions& framing,
                  double angle)
{
    constexpr int moments = 72;
    constexpr int height = 1000;
    const double width = height * aspect;
    const Box<2> page = {.min = {framing.margin * width, framing.margin * height},
                         .max = {(1.0 - framing.margin) * width, (1.0 - framing.bottom_margin) * height}};
    const double turn = std::min(std::abs(angle), 2.0 * std::numbers::pi) * (angle < 0.0 ? -1.0 : 1.0);
    const auto sees_all = [&] {
        for (int k = 0; k <= moments; ++k) {
            const CameraView view(orbited(camera, turn * k / moments), static_cast<int>(std::lround(width)),
                                  height);
            for (int corner = 0; corner < 8; ++corner) {
                Vec<3> p;
                for (int axis = 0; axis < 3; ++axis)
                    p[axis] = ((corner >> axis) & 1) != 0 ? box.max[axis] : box.min[axis];
                const CameraView::Projection projection = view.project(p);
                const Vec<2> slack = Vec<2>::Constant(1.0);
                if (projection.depth <= 0.0 ||
                    !(Box<2>{page.min - slack, page.max + slack}).contains(projection.pixel))
                    return false;
            }
        }
        return true;
    };
    constexpr double step = 1.03;
    for (int tries = 0; tries < 100 && !sees_all(); ++tries)
        camera.from = camera.look_at + step * (camera.from - camera.look_at);
    return camera;
}

} // namespace

FramePictures::FramePictures(std::string name, std::vector<FrameFile> files, RunSurroundings surroundings,
                             PictureLook look)
    : name_(std::move(name)),
      files_(std::move(files)),
      surroundings_(std::move(surroundings)),
      look_(std::move(look))
{
    if (files_.empty()) throw InputError(name_ + ": there are no frames");
    std::set<std::string> bodies;
    for (const FrameFile& file : files_) bodies.insert(body_of(file.body));
    bodies_.assign(bodies.begin(), bodies.end());
    look_at_frames();
    include_surroundings();
    choose_camera();
}

void FramePictures::look_at_frames()
{
    const std::string wanted = look_.color.empty() ? "velocity" : look_.color;
    std::vector<Scan> scans(files_.size());
    parallel_for(
        files_.size(), [&](Index i) { scans[i] = scan_file(files_[i].path, wanted, !look_.range); }, 1);

    bool has_field = false;
    bool is_vector = false;
    std::optional<ValueRange> range;
    std::set<std::string> fields = {"body"};
    for (const Scan& scan : scans) {
        bounds_.extend(scan.bounds);
        last_time_ = std::max(last_time_, scan.time);
        for (const Vec<3>& x : scan.samples) samples_.push_back({x, scan.time});
        has_field = has_field || scan.has_field;
        is_vector = is_vector || scan.is_vector;
        fields.insert(scan.fields.begin(), scan.fields.end());
        if (scan.range && range)
            range = ValueRange{std::min(range->min, scan.range->min), std::max(range->max, scan.range->max)};
        else if (scan.range)
            range = scan.range;
    }
    if (look_.color.empty()) look_.color = has_field ? wanted : "body";
    if (is_by_field() && !has_field) {
        const std::vector<std::string_view> known(fields.begin(), fields.end());
        throw InputError(name_ + ": no body has a field \"" + look_.color + "\"; " +
                         suggestion(look_.color, known) + "allowed: " + word_list(known));
    }
    // Faces of liquids are clear. If there is nothing else, no colour stands for a number.
    std::set<std::pair<std::uint64_t, std::string>> clear;
    for (std::size_t i = 0; look_.liquid && i < files_.size(); ++i)
        if (scans[i].has_faces) clear.emplace(files_[i].number, body_of(files_[i].body));
    has_bar_ = is_by_field() && std::any_of(files_.begin(), files_.end(), [&](const FrameFile& file) {
                   return !clear.contains({file.number, body_of(file.body)}) && !is_foam(file.body);
               });
    // A surface without points, such as that of a fluid which is only spray, shows nothing.
    std::vector<FrameFile> drawn;
    for (std::size_t i = 0; i < files_.size(); ++i)
        if (files_[i].body == body_of(files_[i].body) || scans[i].point_count > 0)
            drawn.push_back(std::move(files_[i]));
    if (!drawn.empty()) files_ = std::move(drawn);
    if (range && is_vector) range->min = 0.0;
    if (look_.range) range = look_.range;
    if (range) range_ = *range;
    choose_range();

    // Of the first file that has one, so that they stay as they are.
    const double least =
        bounds_.is_empty() || bounds_.longest_side() <= 0.0 ? 0.01 : 0.01 * bounds_.longest_side();
    radii_.assign(bodies_.size(), surroundings_.particle_radius);
    for (std::size_t body = 0; body < bodies_.size(); ++body) {
        for (const bool is_surface : {false, true})
            for (std::size_t i = 0; i < files_.size() && radii_[body] <= 0.0; ++i)
                if (body_of(files_[i].body) == bodies_[body] &&
                    (files_[i].body != bodies_[body]) == is_surface)
                    radii_[body] = detail::usual_radius(read_snapshot(files_[i].path).snapshot.points);
        if (radii_[body] <= 0.0) radii_[body] = least;
    }
}

void FramePictures::choose_range()
{
    // Equal values everywhere still need a bar with two ends.
    if (!(range_.max > range_.min)) {
        const double room = 0.5 * std::abs(range_.min);
        range_ = room > 0.0 ? ValueRange{range_.min - room, range_.max + room} : ValueRange{0.0, 1.0};
    }
    if (!look_.range) range_ = rounded_range(range_);
    map_ = look_.map.value_or(look_.color == "temperature" ? ColorMap::Inferno : ColorMap::Viridis);
}

void FramePictures::include_surroundings()
{
    // The bodies fill the picture. Their surroundings are shown only near them: with all of a domain that is
    // a hundred times larger, the bodies would be a speck.
    const double radius = *std::max_element(radii_.begin(), radii_.end());
    Box<3> seen = bounds_;
    if (!seen.is_empty()) {
        seen.min.array() -= radius;
        seen.max.array() += radius;
    }
    const double length = seen.is_empty() ? 0.0 : seen.longest_side();
    const auto near = [&, bodies = seen](double part) {
        Box<3> box = bodies;
        box.min.array() -= part * length;
        box.max.array() += part * length;
        return box;
    };
    const bool has_bodies = !seen.is_empty();
    const auto include = [&](const Box<3>& box) {
        if (!box.is_empty()) seen.extend(box);
    };
    if (const std::optional<Box<3>>& domain = surroundings_.domain) {
        include(has_bodies ? overlap(*domain, near(domain_seen)) : *domain);
        // What falls is seen with what it falls on, unless that is far away.
        const int up = surroundings_.dimension == 2 ? 1 : 2;
        if (has_bodies && bounds_.min[up] - domain->min[up] <= floor_seen * length)
            seen.min[up] = std::min(seen.min[up], domain->min[up]);
    }
    const int moments = last_time_ > 0.0 ? 9 : 1;
    for (const auto& obstacles : {surroundings_.obstacles, surroundings_.containers})
        for (int k = 0; obstacles && k < moments; ++k)
            for (const TriangleMesh& obstacle : obstacles(last_time_ * k / std::max(1, moments - 1))) {
                const Box<3> box = phyxel::bounds(obstacle);
                const bool is_whole = !has_bodies || box.longest_side() <= length;
                include(is_whole ? box : overlap(box, near(obstacle_seen)));
            }
    bounds_ = seen;
}

/// Where the ground lies: on the floor of the domain, or under everything.
double FramePictures::floor() const
{
    if (surroundings_.domain && std::isfinite(surroundings_.domain->min[2]))
        return surroundings_.domain->min[2];
    return bounds_.is_empty() ? 0.0 : bounds_.min[2];
}

/// What legend and time need at the lower edge of the picture. [pixels]
double FramePictures::key_height() const
{
    const int width = look_.render.width, height = look_.render.height;
    if (!look_.draw_legend) return 0.0;
    return has_bar_ ? bar_height(width, height) : entries_height(width, height, legend_entries());
}

void FramePictures::choose_camera()
{
    const int width = std::max(1, look_.render.width), height = std::max(1, look_.render.height);
    const double aspect = double(width) / height;
    FramingOptions framing = look_.framing;
    framing.bottom_margin = std::max(framing.bottom_margin, key_height() / height);
    if (has_names_) framing.margin = std::max(framing.margin, names_height * picture_unit(height) / height);
    if (look_.camera.fov) framing.fov = *look_.camera.fov;
    const bool is_flat = surroundings_.dimension == 2;
    camera_ = is_flat ? front_camera(bounds_, aspect, framing.margin, framing.bottom_margin)
                      : framing_camera(bounds_, aspect, framing);
    const bool is_chosen = !look_.camera.from && !look_.camera.look_at;
    if (is_chosen && look_.camera.orbit != 0.0 && !bounds_.is_empty())
        camera_ = backed_off(camera_, bounds_, aspect, framing, look_.camera.orbit * last_time_);
    const CameraChoice& choice = look_.camera;
    if (choice.from) {
        camera_.from = *choice.from;
        camera_.look_at =
            choice.look_at.value_or(bounds_.is_empty() ? Vec<3>(Vec<3>::Zero()) : Vec<3>(bounds_.center()));
        camera_.fov = choice.fov.value_or(Camera{}.fov);
    } else if (choice.look_at) {
        camera_.from += *choice.look_at - camera_.look_at;
        camera_.look_at = *choice.look_at;
    }
    camera_.aperture = choice.aperture;
    camera_.focus = choice.focus;
    check_camera(camera_);
    lighting_ = lighting_for(camera_, look_.style);
    place_ = legend_place();
}

/// At the lower edge, unless bodies reach it at some time and fewer bodies reach the upper one. A camera that
/// the user has placed leaves no room for words.
LegendPlace FramePictures::legend_place() const
{
    const double needed = key_height();
    if (has_names_ || !(needed > 0.0)) return LegendPlace::Below;
    const int width = look_.render.width, height = look_.render.height;
    const double u = picture_unit(height);
    const double key_end = has_bar_                   ? 48.0 * u + std::min(300.0 * u, 0.38 * width)
                           : legend_entries().empty() ? 0.0
                                                      : width;
    const double time_begin = width - 180.0 * u;
    const double time_needed = time_height(width, height);
    const double radius = *std::max_element(radii_.begin(), radii_.end());
    std::size_t below = 0, above = 0;
    CameraView view(camera_, width, height);
    double seen_at = 0.0;
    for (const Sample& sample : samples_) {
        if (look_.camera.orbit != 0.0 && sample.time != seen_at) {
            view = CameraView(orbited(camera_, look_.camera.orbit * sample.time), width, height);
            seen_at = sample.time;
        }
        const CameraView::Projection seen = view.project(sample.point);
        const double reach = seen.depth > 0.0 ? radius / view.pixel_size(seen.depth) : 0.0;
        if (seen.depth <= 0.0 || seen.pixel[0] < -reach || seen.pixel[0] > width + reach) continue;
        const auto meets = [&](double from_edge) {
            return from_edge > -reach &&
                   ((seen.pixel[0] < key_end + reach && from_edge < needed + reach) ||
                    (seen.pixel[0] > time_begin - reach && from_edge < time_needed + reach));
        };
        below += meets(height - seen.pixel[1]) ? 1 : 0;
        above += meets(seen.pixel[1]) ? 1 : 0;
    }
    return above < below ? LegendPlace::Above : LegendPlace::Below;
}

std::string FramePictures::settings() const
{
    std::string text;
    const auto add = [&](std::string_view name, const std::string& value) {
        text += std::string(name) + " " + value + "\n";
    };
    add("size", std::to_string(look_.render.width) + "x" + std::to_string(look_.render.height));
    add("samples", std::to_string(look_.render.samples));
    add("seed", std::to_string(look_.render.seed));
    add("from", text_of(camera_.from));
    add("look_at", text_of(camera_.look_at));
    add("up", text_of(camera_.up));
    add("fov", number_text(camera_.fov) + (camera_.is_parallel ? " parallel" : ""));
    add("orbit", number_text(look_.camera.orbit));
    add("aperture", number_text(camera_.aperture) + " focus " + number_text(camera_.focus));
    add("blur", number_text(look_.blur * surroundings_.frame_time));
    add("liquid", look_.liquid ? "yes" : "no");
    add("color", look_.color);
    add("range", number_text(range_.min) + " " + number_text(range_.max));
    add("map", map_ == ColorMap::Viridis ? "viridis" : "inferno");
    add("style", look_.style == PictureStyle::Light ? "light" : "dark");
    for (const double radius : radii_) add("radius", number_text(radius));
    add("legend", !look_.draw_legend ? "no" : place_ == LegendPlace::Below ? "below" : "above");
    add("domain", look_.draw_domain ? "yes" : "no");
    add("floor", number_text(floor()));
    return text;
}

void FramePictures::add_obstacles(const std::function<std::vector<TriangleMesh>(double)>& obstacles,
                                  bool only_far_side, RenderScene& scene, double time,
                                  double shutter_time) const
{
    if (!obstacles) return;
    std::vector<TriangleMesh> meshes = obstacles(time);
    const bool is_blurred = shutter_time > 0.0;
    const auto at = [&](double offset) {
        return is_blurred ? obstacles(time + offset) : std::vector<TriangleMesh>(meshes.size());
    };
    const std::vector<TriangleMesh> before = at(-0.5 * shutter_time);
    const std::vector<TriangleMesh> after = at(0.5 * shutter_time);
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        DrawnMesh drawn{.mesh = std::move(meshes[i]), .colors = {colors_of(look_.style).obstacle}};
        drawn.only_far_side = only_far_side;
        for (std::size_t k = 0; is_blurred && k < drawn.mesh.vertices.size(); ++k)
            drawn.motions.push_back(after[i].vertices[k] - before[i].vertices[k]);
        scene.meshes.push_back(std::move(drawn));
    }
}

/// Foam is white; the others have the colours that they would have without it.
Color FramePictures::color_of(std::size_t body) const
{
    if (is_foam(bodies_[body])) return Color::Constant(0.9f);
    const auto end = bodies_.begin() + static_cast<std::ptrdiff_t>(body);
    return palette_color(body - static_cast<std::size_t>(std::count_if(bodies_.begin(), end, is_foam)));
}

RenderScene FramePictures::scene_of(std::uint64_t frame, std::optional<double>& time) const
{
    RenderScene scene;
    const StyleColors& colors = colors_of(look_.style);
    std::set<std::string> with_surface;
    for (const FrameFile& file : files_)
        if (file.number == frame && file.body != body_of(file.body)) with_surface.insert(body_of(file.body));

    const double shutter_time = look_.blur * surroundings_.frame_time;
    // A pond as a whole has a colour, and a splash of it is clear.
    const double liquid_depth =
        bounds_.is_empty() || bounds_.longest_side() <= 0.0 ? 1.0 : bounds_.longest_side();
    for (const FrameFile& file : files_) {
        if (file.number != frame) continue;
        // A fluid with a surface is seen as one.
        if (with_surface.contains(file.body)) continue;
        Snapshot snapshot = read_snapshot(file.path).snapshot;
        // Files of others have neither body nor time.
        if (!time && (!snapshot.body.empty() || snapshot.time != 0.0)) time = snapshot.time;

        const auto body = static_cast<std::size_t>(
            std::find(bodies_.begin(), bodies_.end(), body_of(file.body)) - bodies_.begin());
        detail::SnapshotLook look;
        if (is_by_field() && !is_foam(bodies_[body])) look.field = look_.color;
        look.map = map_;
        look.range = range_;
        look.color = color_of(body);
        look.radius = radii_[body];
        look.shutter_time = shutter_time;
        if (look_.liquid) look.liquid_depth = liquid_depth;
        detail::add_snapshot(scene, std::move(snapshot), look);
    }
    add_obstacles(surroundings_.obstacles, false, scene, time.value_or(0.0), shutter_time);
    add_obstacles(surroundings_.containers, true, scene, time.value_or(0.0), shutter_time);
    if (surroundings_.domain && look_.draw_domain) {
        DrawnBox box{.box = *surroundings_.domain, .color = colors.line};
        if (surroundings_.dimension == 2) box.box.min[2] = box.box.max[2] = 0.0;
        scene.boxes.push_back(box);
    }
    Ground ground{.color = colors.ground};
    if (surroundings_.dimension == 2) {
        // A wall behind the plane, on which things throw a soft shadow.
        ground.normal = Vec<3>::UnitZ();
        ground.point = Vec<3>(0.0, 0.0, -1.5 * *std::max_element(radii_.begin(), radii_.end()));
    } else {
        // A little lower, so that lines and faces that lie on it are seen.
        const double gap = bounds_.is_empty() ? 0.0 : 1e-3 * bounds_.longest_side();
        ground.point[2] = floor() - gap;
    }
    scene.ground = ground;
    scene.lighting = lighting_;
    return scene;
}

Picture FramePictures::draw_things(std::uint64_t frame, std::optional<double>& time) const
{
    const RenderScene scene = scene_of(frame, time);
    const double orbit = look_.camera.orbit;
    const Camera camera = orbit == 0.0 ? camera_ : orbited(camera_, orbit * time.value_or(0.0));
    return develop(render_image(scene, camera, look_.render));
}

/// One body needs no name.
std::vector<LegendEntry> FramePictures::legend_entries() const
{
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; bodies_.size() > 1 && i < bodies_.size(); ++i)
        entries.push_back({color_of(i), bodies_[i]});
    return entries;
}

void FramePictures::draw_key(Picture& picture, const std::optional<double>& time) const
{
    if (!look_.draw_legend) return;
    if (has_bar_) {
        phyxel::draw_legend(picture, ColorBar{map_, range_, look_.color, look_.units.of(look_.color)},
                            look_.style, place_);
    } else {
        phyxel::draw_legend(picture, legend_entries(), look_.style, place_);
    }
    if (time) draw_time(picture, *time, look_.style, place_);
}

Picture FramePictures::draw(std::uint64_t frame) const
{
    std::optional<double> time;
    Picture picture = draw_things(frame, time);
    draw_key(picture, time);
    return picture;
}

void FramePictures::set_bodies(const std::vector<std::string>& bodies)
{
    std::vector<double> radii;
    for (const std::string& body : bodies) {
        const auto found = std::find(bodies_.begin(), bodies_.end(), body);
        radii.push_back(found == bodies_.end() ? radii_.front()
                                               : radii_[static_cast<std::size_t>(found - bodies_.begin())]);
    }
    bodies_ = bodies;
    radii_ = std::move(radii);
}

void FramePictures::align(FramePictures& a, FramePictures& b)
{
    if (a.look_.color != b.look_.color)
        throw InputError(b.name_ + ": is coloured by " + b.look_.color + ", and " + a.name_ + " by " +
                         a.look_.color);
    std::set<std::string> bodies(a.bodies_.begin(), a.bodies_.end());
    bodies.insert(b.bodies_.begin(), b.bodies_.end());
    Box<3> bounds = a.bounds_;
    bounds.extend(b.bounds_);
    const ValueRange range = {std::min(a.range_.min, b.range_.min), std::max(a.range_.max, b.range_.max)};
    const double last_time = std::max(a.last_time_, b.last_time_);
    for (FramePictures* pictures : {&a, &b}) {
        pictures->set_bodies({bodies.begin(), bodies.end()});
        pictures->bounds_ = bounds;
        pictures->range_ = range;
        pictures->last_time_ = last_time;
        pictures->has_names_ = true;
        pictures->choose_camera();
    }
}

Picture FramePictures::draw_both(const FramePictures& a, const FramePictures& b, std::uint64_t frame)
{
    std::optional<double> time;
    const Picture left = a.draw_things(frame, time);
    const Picture right = b.draw_things(frame, time);
    PHYXEL_ASSERT(left.height == right.height);
    Picture both(left.width + right.width, left.height);
    for (int y = 0; y < both.height; ++y) {
        std::copy_n(left.at(0, y), 3 * left.width, both.at(0, y));
        std::copy_n(right.at(0, y), 3 * right.width, both.at(left.width, y));
    }
    const double u = picture_unit(both.height);
    const StyleColors& colors = colors_of(a.look_.style);
    draw_rectangle(both, {left.width - 0.7 * u, 0.0}, {left.width + 0.7 * u, double(both.height)},
                   colors.edge);
    if (a.look_.draw_legend) {
        const TextStyle text{.height = 14.0 * u, .ink = colors.text, .weight = 0.14};
        const auto last_part = [](const std::string& path) {
            const fs::path plain = fs::path(path).lexically_normal();
            return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
        };
        const bool is_enough = last_part(a.name_) != last_part(b.name_);
        draw_text(both, {28.0 * u, names_line * u}, is_enough ? last_part(a.name_) : a.name_, text);
        draw_text(both, {left.width + 28.0 * u, names_line * u}, is_enough ? last_part(b.name_) : b.name_,
                  text);
    }
    a.draw_key(both, time);
    return both;
}

Picture draw_files(const std::vector<fs::path>& files, const PictureLook& look)
{
    if (files.empty()) throw InputError("there are no files to draw");
    std::vector<FrameFile> frames;
    Box<3> bounds;
    for (const fs::path& file : files) {
        // Whatever the name says, every file that was asked for is drawn.
        std::string name = file.stem().string();
        if (body_of(name) != name) name += file.extension().string();
        frames.push_back({std::move(name), 0, file});
        for (const Vec<3>& x : read_snapshot(file).snapshot.points)
            if (x.allFinite()) bounds.extend(x);
    }
    // What is flat and level is a run in the plane.
    const bool is_flat = !bounds.is_empty() && bounds.min[2] == 0.0 && bounds.max[2] == 0.0;
    const std::string name = files.size() == 1 ? files[0].string() : std::to_string(files.size()) + " files";
    return FramePictures(name, std::move(frames), {.dimension = is_flat ? 2 : 3}, look).draw(0);
}

} // namespace phyxel
