// SPDX-License-Identifier: MIT
#include "render.h"

#include "frame_range.h"
#include "interrupt.h"
#include "run_folders.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/timer.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/render/render_run.h>
#include <phyxel/render/shape_mesh.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string_view>
#include <variant>
#include <vector>

extern char** environ;

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

constexpr int largest_side = 16384;
constexpr int most_samples = 65536;

/// The numbers of a text such as `1,-2,0.5`, with the separator between them.
std::vector<double> numbers_of(std::string_view text, char separator, const std::string& option)
{
    std::vector<double> numbers;
    while (true) {
        const std::size_t end = text.find(separator);
        std::string_view digits = text.substr(0, end);
        const bool is_negative = digits.starts_with('-');
        if (is_negative) digits.remove_prefix(1);
        const NumberPrefix number = read_number(digits);
        if (number.length == 0 || number.length != digits.size() || !std::isfinite(number.value))
            throw InputError(option + ": \"" + std::string(text.substr(0, end)) + "\" is not a number");
        numbers.push_back(is_negative ? -number.value : number.value);
        if (end == std::string_view::npos) return numbers;
        text.remove_prefix(end + 1);
    }
}

RenderOptions picture_options(const RenderCommand& command)
{
    const std::vector<double> size = numbers_of(command.size, 'x', "--size");
    const auto is_side = [](double n) { return n >= 1 && n <= largest_side && n == std::floor(n); };
    if (size.size() != 2 || !is_side(size[0]) || !is_side(size[1]))
        throw InputError("--size " + command.size + ": expected width x height in pixels, as in 1280x720");
    if (command.samples < 1 || command.samples > most_samples)
        throw InputError("--samples " + std::to_string(command.samples) + ": must be from 1 to " +
                         std::to_string(most_samples));
    return {
        .width = static_cast<int>(size[0]), .height = static_cast<int>(size[1]), .samples = command.samples};
}

Camera camera_of(const std::string& text)
{
    const std::size_t colon = text.find(':');
    const auto point = [&](const std::string& part) {
        const std::vector<double> x = numbers_of(part, ',', "--camera");
        if (x.size() != 3)
            throw InputError("--camera " + text + ": expected two points, as in 1,-2,1:0.5,0,0.2");
        return Vec<3>(x[0], x[1], x[2]);
    };
    if (colon == std::string::npos)
        throw InputError("--camera " + text + ": expected two points, as in 1,-2,1:0.5,0,0.2");
    Camera camera;
    camera.from = point(text.substr(0, colon));
    camera.look_at = point(text.substr(colon + 1));
    check_camera(camera);
    return camera;
}

/// Where the obstacle is at a time, as triangles.
DrawnMesh placed(const TriangleMesh& at_rest, const Pose<3>& pose)
{
    DrawnMesh drawn;
    drawn.mesh = at_rest;
    for (Vec<3>& x : drawn.mesh.vertices) x = pose.apply(x);
    drawn.colors = {Color(0.55f, 0.53f, 0.50f)};
    return drawn;
}

Pose<3> in_space(const Pose<3>& pose) { return pose; }

Pose<3> in_space(const Pose<2>& pose)
{
    Pose<3> result;
    result.rotation.topLeftCorner<2, 2>() = pose.rotation;
    result.translation.head<2>() = pose.translation;
    return result;
}

template <int Dim>
RunSurroundings surroundings_of(const World<Dim>& world, double spacing)
{
    RunSurroundings surroundings;
    surroundings.dimension = Dim;
    surroundings.particle_radius = 0.5 * spacing;
    const Domain<Dim>& domain = world.surroundings().domain;
    if (domain.bounded) {
        Box<3> box{Vec<3>::Zero(), Vec<3>::Zero()};
        box.min.head<Dim>() = domain.box.min;
        box.max.head<Dim>() = domain.box.max;
        surroundings.domain = box;
    }
    struct Drawn {
        TriangleMesh mesh;
        Motion<Dim> motion;
    };
    std::vector<Drawn> obstacles;
    for (const MovingObstacle<Dim>& obstacle : world.obstacles()) {
        if constexpr (Dim == 3)
            obstacles.push_back({shape_mesh(obstacle.shape), obstacle.motion});
        else
            obstacles.push_back({shape_mesh(obstacle.shape, spacing), obstacle.motion});
    }
    surroundings.obstacles = [obstacles](double time) {
        std::vector<DrawnMesh> meshes;
        for (const Drawn& obstacle : obstacles)
            meshes.push_back(placed(obstacle.mesh, in_space(obstacle.motion.pose(time))));
        return meshes;
    };
    return surroundings;
}

struct Described {
    RunSurroundings surroundings;
    double frame_rate = 30.0;
};

/// What the run's scene says of domain and obstacles. A file that an obstacle was made from may be gone; then
/// the picture is made without them.
Described describe_run(const fs::path& run)
{
    Described described;
    const fs::path manifest = run / "manifest.json";
    try {
        const Node document = read_document(manifest, max_resolved_nesting);
        const Node* scene = document.find("scene");
        if (scene == nullptr) throw InputError(manifest.string() + ": has no scene");
        BuiltScene built = build_scene(Scene::parse(to_text(*scene), manifest.string(), fs::current_path()));
        const Node* spacing = built.resolved.find("spacing");
        std::visit(
            [&](const auto& world) {
                described.frame_rate = world->clock().frame_rate;
                described.surroundings =
                    surroundings_of(*world, spacing != nullptr ? spacing->number() : 0.0);
            },
            built.world);
    } catch (const InputError& error) {
        warn(std::string(error.what()) + "; drawn without domain and obstacles");
    }
    return described;
}

/// Runs ffmpeg on the pictures.
void make_clip(const RunPictures& pictures, const RenderCommand& command, double frame_rate)
{
    const std::vector<std::uint64_t>& frames = pictures.frames();
    const fs::path first = pictures.path(frames.front());
    std::string pattern = first.string();
    const std::string digits = frame_file_name("", frames.front(), "").substr(1);
    const std::size_t at = pattern.rfind(digits);
    pattern.replace(at, digits.size(), "%0" + std::to_string(digits.size()) + "d");
    std::vector<std::string> words = {"ffmpeg",
                                      "-y",
                                      "-loglevel",
                                      "error",
                                      "-framerate",
                                      number_text(frame_rate),
                                      "-start_number",
                                      std::to_string(frames.front()),
                                      "-i",
                                      pattern};
    if (command.clip.extension() == ".mp4")
        words.insert(words.end(),
                     {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18"});
    words.push_back(command.clip.string());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    pid_t child = 0;
    const int error = ::posix_spawnp(&child, "ffmpeg", nullptr, nullptr, arguments.data(), environ);
    if (error == ENOENT) throw InputError("--clip needs the program ffmpeg, which is not installed");
    if (error != 0) throw IoError("ffmpeg", "cannot be run", std::error_code(error, std::generic_category()));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw InputError(command.clip.string() + ": ffmpeg could not make the clip");
}

} // namespace

ExitCode render_pictures(const RenderCommand& command)
{
    const fs::path run = find_run(command.run);
    RunPictureOptions options;
    options.render = picture_options(command);
    if (!command.camera.empty()) options.camera = camera_of(command.camera);
    options.orbit = command.orbit * std::numbers::pi / 180.0;
    options.color = command.color;
    if (!command.range.empty()) {
        const std::vector<double> range = numbers_of(command.range, ':', "--range");
        if (range.size() != 2 || !(range[0] < range[1]))
            throw InputError("--range " + command.range +
                             ": expected two numbers, the lower first, as in 0:3");
        options.range = ValueRange{range[0], range[1]};
    }
    if (command.format != "png" && command.format != "jpg")
        throw InputError("--format " + command.format + ": expected png or jpg");
    options.extension = "." + command.format;
    options.folder = command.folder;
    options.redo = command.redo;
    if (!command.frames.empty()) {
        const FrameRange range = parse_frames(command.frames);
        options.first_frame = range.first;
        if (range.end) options.last_frame = *range.end - 1;
    }
    if (!command.clip.empty() && command.clip.extension() != ".mp4" && command.clip.extension() != ".gif")
        throw InputError("--clip " + command.clip.string() + ": expected a file that ends in .mp4 or .gif");

    const Described described = describe_run(run);
    RunPictures pictures(run, described.surroundings, options);
    const bool has_bar = !command.quiet && ::isatty(STDERR_FILENO) != 0;
    Stopwatch watch;
    Stopwatch since_line;
    std::size_t made = 0;
    const std::size_t count = pictures.frames().size();
    const InterruptGuard interrupts;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t frame = pictures.frames()[k];
        if (pictures.is_done(frame)) continue;
        pictures.make(frame);
        ++made;
        const std::string line = "picture " + std::to_string(k + 1) + " of " + std::to_string(count) + ", " +
                                 number_text(watch.seconds() / static_cast<double>(made), 2) + " s each";
        if (has_bar)
            std::fprintf(stderr, "\r\033[K%s", line.c_str());
        else if (!command.quiet && (k + 1 == count || since_line.seconds() > 5.0))
            since_line.restart(), say(line);
        if (interrupts.is_interrupted()) {
            if (has_bar) std::fputs("\r\033[K", stderr);
            say("stopped; the same command goes on");
            return Interrupted;
        }
    }
    if (has_bar) std::fputs("\r\033[K", stderr);
    if (!command.clip.empty()) make_clip(pictures, command, described.frame_rate);
    if (!command.quiet)
        print((command.clip.empty() ? pictures.path(pictures.frames().back()) : command.clip).string() +
              ": " + count_text(made, "picture", "pictures") + " made, " +
              count_text(count - made, "was", "were") + " there before\n");
    return Done;
}

} // namespace phyxel::command
