// SPDX-License-Identifier: MIT
// The phyxel command: reads the command line into the plain structs of the subcommands and runs one of them.
// The only file that sees CLI11, whose header is the slowest to compile.
#include "console.h"
#include "convert.h"
#include "foam.h"
#include "info.h"
#include "last_words.h"
#include "list.h"
#include "new_scene.h"
#include "plot.h"
#include "render.h"
#include "run.h"
#include "schema.h"
#include "studio.h"
#include "surface.h"
#include "validate.h"
#include "verify.h"

#include <phyxel/core/cpu.h>
#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/file.h>
#include <phyxel/scene/scene_error.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace phyxel::command;

/// The command line, taken apart.
struct CommandLine {
    RunCommand run;
    ValidateCommand validate;
    InfoCommand info;
    ConvertCommand convert;
    RenderCommand render;
    PlotCommand plot;
    StudioCommand studio;
    SurfaceCommand surface;
    FoamCommand foam;
    SchemaCommand schema;
    ListCommand list;
    NewCommand make;
    VerifyCommand verify;
    std::optional<int> threads;
    std::function<ExitCode()> chosen;
};

constexpr const char* scene_text = "Scene file, or the name of an example as in \"phyxel list examples\"";

void add_assignments(CLI::App& app, std::vector<std::string>& assignments)
{
    // Without the limit, the words that follow would be taken for values too.
    app.add_option("--set", assignments,
                   "Change a value of the scene, as in --set spacing=\"4 cm\" or\n"
                   "--set bodies.water.material=honey; may be given several times")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_threads(CLI::App& app, std::optional<int>& threads)
{
    app.add_option("--threads", threads,
                   "Number of threads; as many as there are cores if not given, and at most so many")
        ->type_name("N");
}

/// A subcommand that is chosen by its name; `run` is called once the whole line was understood.
CLI::App& add_subcommand(CLI::App& app, CommandLine& line, const std::string& name, const std::string& text,
                         std::function<ExitCode()> run)
{
    CLI::App* subcommand = app.add_subcommand(name, text);
    subcommand->callback([&line, run = std::move(run)] { line.chosen = run; });
    return *subcommand;
}

void add_run(CLI::App& app, CommandLine& line)
{
    CLI::App& run = add_subcommand(app, line, "run", "Simulate a scene into a folder of frames",
                                   [&] { return run_scene(line.run); });
    run.add_option("SCENE", line.run.scene, scene_text)->required();
    run.add_option("-o,--output", line.run.folder,
                   "Folder for the run; if not given, the next free runs/SCENE-NNN,\n"
                   "and with --resume the newest of them")
        ->type_name("DIR");
    CLI::Option* resume = run.add_flag(
        "--resume", line.run.resume, "Go on where the run in the folder was stopped, as if it had not been");
    run.add_flag("--overwrite", line.run.overwrite, "Replace the run that is in the folder")
        ->excludes(resume);
    add_threads(run, line.threads);
    run.add_option("--frames", line.run.frames, "Write frames A to B-1 only, and stop after them")
        ->type_name("A:B");
    add_assignments(run, line.run.assignments);
    run.add_option("--limit-memory", line.run.limits.memory,
                   "Save and stop when it takes more memory, as in \"2 GB\"")
        ->type_name("SIZE");
    run.add_option("--limit-time", line.run.limits.time,
                   "Save and stop when it took so long, as in \"10 min\"")
        ->type_name("TIME");
    run.add_flag("--quiet", line.run.quiet, "Say nothing but warnings and errors");
    run.footer("Ctrl-C saves and stops; --resume goes on.\n"
               "Exit codes: 0 done, 1 the run failed, 2 bad usage or input, 3 stopped at a limit,\n"
               "130 interrupted.");
}

void add_validate(CLI::App& app, CommandLine& line)
{
    CLI::App& validate = add_subcommand(app, line, "validate",
                                        "Check a scene and estimate what its run needs, without running it",
                                        [&] { return validate_scene(line.validate), Done; });
    validate.add_option("SCENE", line.validate.scene, scene_text)->required();
    validate.add_flag("--thorough", line.validate.thorough,
                      "Look at everything however long it takes, and do not give up after the work of\n"
                      "some seconds");
    add_assignments(validate, line.validate.assignments);
}

void add_info(CLI::App& app, CommandLine& line)
{
    CLI::App& info =
        add_subcommand(app, line, "info", "Say what is in a run, a frame, a mesh, a scene or a checkpoint",
                       [&] { return print_info(line.info), Done; });
    info.add_option("PATH", line.info.path,
                    "Folder of a run, \"last\" for the newest run,\nan example, or a file (.ply .obj .stl "
                    ".vtp .json .phyxel)")
        ->required();
}

void add_convert(CLI::App& app, CommandLine& line)
{
    CLI::App& convert =
        add_subcommand(app, line, "convert", "Write a file, or all frames of a run, in another format",
                       [&] { return convert_files(line.convert), Done; });
    convert
        .add_option("IN", line.convert.input,
                    "File (.ply .obj .stl .off .xyz .vtp), folder of a run, or \"last\"")
        ->required();
    convert
        .add_option("OUT", line.convert.output,
                    "File whose ending says the format (.ply .vtp .obj .csv), or a folder")
        ->required();
    convert
        .add_option("--to", line.convert.format,
                    "Format of the files in a folder: ply, vtp, obj, csv, or of a run pc2")
        ->type_name("FORMAT");
}

void add_render(CLI::App& app, CommandLine& line)
{
    RenderCommand& command = line.render;
    PictureArguments& picture = command.picture;
    CLI::App& render = add_subcommand(app, line, "render", "Make pictures of a run or of files, or a clip",
                                      [&] { return render_pictures(command); });
    render
        .add_option("RUN", command.inputs,
                    "Folder of a run, \"last\" for the newest,\n"
                    "or files for one picture (.ply .obj .stl .off .xyz .vtp)")
        ->required();
    render
        .add_option("-o,--output", command.output,
                    "Folder for the pictures of a run, RUN/pictures if not given;\n"
                    "or one picture (.png .jpg), FILE.png if not given")
        ->type_name("OUT");
    render.add_option("--frames", command.frames, "Only the frames A to B-1 of a run; all if not given")
        ->type_name("A:B");
    render
        .add_option("--compare", command.compare,
                    "Draw another run beside it, with the same camera and colours")
        ->type_name("RUN");
    render.add_option("--format", command.format, "png or jpg; png if not given")->type_name("FORMAT");
    render.add_option("--clip", command.clip, "Also make a clip of the pictures (.mp4 or .gif), with ffmpeg")
        ->type_name("FILE");
    render.add_option("--samples", picture.samples, "Rays per pixel; if not given, 16, or 32 for liquids")
        ->type_name("N");
    render.add_option("--size", picture.size, "In pixels; 1280x720 if not given")->type_name("WxH");
    CLI::Option* camera = render
                              .add_option("--camera", picture.camera,
                                          "Where it stands and what it looks at, as in 1,-2,1:0.5,0,0.2;\n"
                                          "so that everything is seen if not given")
                              ->type_name("FROM:AT");
    render.add_option("--from", picture.from, "Where the camera stands, as in 1,-2,1")
        ->type_name("POINT")
        ->excludes(camera);
    render.add_option("--look_at", picture.look_at, "What is in the middle of the picture, as in 0.5,0,0.2")
        ->type_name("POINT")
        ->excludes(camera);
    render.add_option("--fov", picture.fov, "Field of view from bottom to top, in degrees")->type_name("DEG");
    render.add_option("--orbit", picture.orbit, "Turn the camera around the scene, in degrees a second")
        ->type_name("DEG");
    render
        .add_option("--color", picture.color,
                    "Field that gives the colour, such as velocity or density, or \"body\";\n"
                    "velocity if not given")
        ->type_name("FIELD");
    render
        .add_option("--range", picture.range,
                    "Values of the field at both ends of the colours, as in 0:3;\n"
                    "those of the whole run if not given")
        ->type_name("LOW:HIGH");
    render
        .add_option("--blur", picture.blur,
                    "How long the shutter is open, as a part of the time between frames;\n"
                    "0 if not given, 0.5 as in films")
        ->type_name("PART");
    render
        .add_option("--aperture", picture.aperture,
                    "Width of the lens, as in 2cm; if not given, everything is sharp")
        ->type_name("LENGTH");
    render.add_option("--focus", picture.focus, "Distance of what is sharp; what it looks at if not given")
        ->type_name("LENGTH");
    render.add_flag("--liquid", picture.liquid, "Meshes and surfaces are clear liquids");
    render.add_option("--style", picture.style, "light or dark; light if not given")->type_name("STYLE");
    render.add_flag("--redo", command.redo, "Make pictures anew that are there already");
    render.add_flag("--quiet", command.quiet, "Only warnings and errors");
    add_threads(render, line.threads);
    render.footer("What is not given here is as the section \"render\" of the run's scene says.");
}

void add_plot(CLI::App& app, CommandLine& line)
{
    PlotCommand& command = line.plot;
    CLI::App& plot =
        add_subcommand(app, line, "plot", "Draw the tables of a run, the kernels or shape functions, as SVG",
                       [&] { return phyxel::command::plot(command), Done; });
    plot.add_option("WHAT", command.what,
                    "Folder of a run, \"last\" for the newest, \"kernels\" or \"shape-functions\"")
        ->required();
    plot.add_option("-o,--output", command.output,
                    "File (.svg) or folder; RUN/plots, or the present folder for figures,\n"
                    "if not given. All charts of a run go into one file")
        ->type_name("PATH");
    plot.add_option("--dimension", command.dimension, "Of the kernels: 1, 2 or 3; 2 if not given")
        ->type_name("N");
    plot.add_option("--crack", command.crack,
                    "Crack in the unit square from its mouth to its front, as in 0,0.5:0.6,0.5,\n"
                    "by the visibility criterion and the transparency method")
        ->type_name("FROM:TO");
    plot.add_flag("--resample", command.resample, "A crack that grows, with and without new nodes beside it");
    plot.add_option("--translucency", command.translucency,
                    "How far behind its front the crack is seen through, in spacings; 1 if not given")
        ->type_name("K");
    plot.add_option("--order", command.order, "Of shape functions beside a crack: 0, 1 or 2; 1 if not given")
        ->type_name("N");
    plot.add_option("--weight", command.weight, "Weight of moving least squares; quartic if not given")
        ->type_name("NAME");
    plot.add_option("--support", command.support,
                    "Support radius in spacings; 3 if not given, 2.05 with --resample")
        ->type_name("R");
    plot.add_option("--node", command.node, "Where the node is that is drawn; 0.5,0.5 if not given")
        ->type_name("X,Y");
    plot.add_option("--nodes", command.nodes, "Nodes along a side of the square; 10 if not given")
        ->type_name("N");
    plot.add_option("--seed", command.seed, "Of the random places of the nodes")->type_name("N");
    plot.add_flag("--surface", command.surface, "Surfaces instead of contours");
    plot.footer("A run that is called like a figure is ./kernels. Options but -o are for figures only.");
}

void add_surface(CLI::App& app, CommandLine& line)
{
    SurfaceCommand& command = line.surface;
    CLI::App& surface = add_subcommand(app, line, "surface", "Make surfaces of the fluids of a run",
                                       [&] { return make_surfaces(command); });
    surface.add_option("RUN", command.run, "Folder of a run, or \"last\" for the newest")->required();
    surface.add_option("-o,--output", command.folder, "Folder for the surfaces; RUN/frames if not given")
        ->type_name("DIR");
    surface.add_option("--frames", command.frames, "Only the frames A to B-1; all if not given")
        ->type_name("A:B");
    surface
        .add_option("--method", command.method,
                    "density (round kernels, fast), distance (from the mean position of the\n"
                    "particles around) or anisotropic (kernels that lie flat along surfaces\n"
                    "and sheets); anisotropic if not given")
        ->type_name("METHOD");
    surface.add_option("--cell", command.options.cell, "Cell of the grid in spacings; 0.5 if not given")
        ->type_name("X");
    surface
        .add_option("--support", command.options.support,
                    "Radius of the kernels inside the fluid in spacings; 2 if not given")
        ->type_name("X");
    surface
        .add_option("--iso", command.options.iso,
                    "Part of the density inside that is the surface; 0.5 if not given")
        ->type_name("X");
    surface.add_option("--smooth", command.options.smoothing, "Passes that smooth the mesh; 3 if not given")
        ->type_name("N");
    surface
        .add_option("--format", command.format,
                    "ply, obj, or vdb (distance, density and velocity as volumes);\n"
                    "ply if not given")
        ->type_name("FORMAT");
    surface.add_flag("--fragments", command.fragments,
                     "Instead: of each solid with \"fragment\" and \"rest_position\" in its frames the\n"
                     "pieces that cracks have left, each a closed mesh, as NAME_fragments_000042.ply\n"
                     "in RUN/fragments");
    surface.add_flag("--rigid", command.rigid,
                     "With --fragments: the pieces of the last frame as rigid bodies, one mesh each\n"
                     "as NAME_fragment_7.ply, and poses.csv");
    surface.add_flag("--redo", command.redo, "Make surfaces anew that are there already");
    surface.add_flag("--quiet", command.quiet, "Only warnings and errors");
    add_threads(surface, line.threads);
    surface.footer("Writes NAME_surface_000042.ply for each fluid and frame, with normals and velocities.\n"
                   "Ctrl-C stops; the same command goes on.");
}

void add_studio(CLI::App& app, CommandLine& line)
{
    StudioCommand& command = line.studio;
    CLI::App& studio = add_subcommand(app, line, "studio", "Watch and touch simulations in the browser",
                                      [&] { return run_studio(command); });
    studio.add_option("WHAT", command.what,
                      "Scene file or name of an example to begin with, folder of a recorded run,\n"
                      "\"last\" for the newest, a checkpoint of the studio, or a folder with any of them");
    studio
        .add_option("--port", command.port,
                    "Port to listen on; that of an earlier start, or a free one, if not given")
        ->type_name("N");
    studio
        .add_option("--listen", command.address,
                    "Address to listen on, such as 0.0.0.0 for all that this machine has;\n"
                    "127.0.0.1, which nobody else can reach, if not given")
        ->type_name("ADDRESS");
    add_assignments(studio, command.assignments);
    add_threads(studio, line.threads);
    studio.footer(
        "Prints the address to open, with a token that no one else knows; a later start has the same.\n"
        "What is saved goes into the folder that was given, or else into studio/, and is in the gallery.\n"
        "Ctrl-C ends it.");
}

void add_foam(CLI::App& app, CommandLine& line)
{
    FoamCommand& command = line.foam;
    CLI::App& foam = add_subcommand(app, line, "foam", "Make spray, foam and bubbles of the fluids of a run",
                                    [&] { return make_foam(command); });
    foam.add_option("RUN", command.run, "Folder of a run, or \"last\" for the newest")->required();
    foam.add_option("--amount", command.options.amount,
                    "Particles that a particle of the fluid makes in a second\n"
                    "where it is most violent; 100 if not given")
        ->type_name("N");
    foam.add_option("--lifetime", command.options.lifetime, "How long foam lasts, in seconds; 2 if not given")
        ->type_name("T");
    foam.add_option("--speed", command.options.speed,
                    "What counts as violent, in m/s; the speed of a fall from the\n"
                    "height of the fluid if not given")
        ->type_name("V");
    foam.add_option("--seed", command.options.seed, "Of all randomness; 1 if not given")->type_name("N");
    foam.add_flag("--quiet", command.quiet, "Only warnings and errors");
    add_threads(foam, line.threads);
    foam.footer("Writes NAME_foam_000042.ply beside the frames of the first fluid, with velocity, kind\n"
                "(0 spray, 1 foam, 2 bubble), radius and life; pictures of the run have it from then on.");
}

void add_schema(CLI::App& app, CommandLine& line)
{
    CLI::App& schema = add_subcommand(app, line, "schema", "Print what a scene file may hold, as JSON Schema",
                                      [&] { return print_schema(line.schema), Done; });
    schema.add_flag("--table", line.schema.table, "As a Markdown table for people");
}

void add_list(CLI::App& app, CommandLine& line)
{
    CLI::App& list =
        add_subcommand(app, line, "list", "Show the materials, fields, shapes, kernels or examples there are",
                       [&] { return print_list(line.list), Done; });
    list.add_option("WHAT", line.list.what, "materials, fields, shapes, kernels or examples")->required();
}

void add_new(CLI::App& app, CommandLine& line)
{
    CLI::App& make = add_subcommand(app, line, "new", "Write a commented scene to begin with",
                                    [&] { return make_scene(line.make), Done; });
    make.add_option("NAME", line.make.name, "Writes NAME.json, never over a file that is there")->required();
    make.add_option("--from", line.make.from, "Example to begin with; dam_break if not given")
        ->type_name("EXAMPLE");
}

void add_verify(CLI::App& app, CommandLine& line)
{
    CLI::App& verify =
        add_subcommand(app, line, "verify", "Compare the library with formulas and cited numbers",
                       [&] { return run_verify(line.verify) ? Done : Failed; });
    verify.add_option("CASE", line.verify.cases,
                      "Cases or groups of cases, such as V-K or V-K1; all if none");
    CLI::Option* list = verify.add_flag("--list", line.verify.list, "Say which cases there are");
    verify.add_flag("--full", line.verify.full, "Run the cases that take seconds to minutes, too");
    verify.add_flag("--long", line.verify.longest, "Run also those that take longer");
    CLI::Option* json = verify.add_flag("--json", line.verify.json, "Print JSON")->excludes(list);
    verify
        .add_option("--report", line.verify.report,
                    "Make a page of all that is known in this folder; with --sabotage\n"
                    "both the cases and their sabotages are run")
        ->type_name("DIR")
        ->excludes(list)
        ->excludes(json);
    verify.add_flag("--sabotage", line.verify.sabotage, "Check that each case notices a deliberate mistake")
        ->excludes(list);
    add_threads(verify, line.threads);
}

/// What is wrong with words that nobody asked for, with the nearest one that exists.
std::string unknown_words(const CLI::App& app)
{
    const bool is_top = app.get_parent() == nullptr;
    const std::vector<std::string> extras = app.remaining();
    if (extras.empty()) return {};
    const std::string& word = extras.front();
    std::vector<std::string> known;
    if (word.starts_with("-")) {
        for (const CLI::Option* option : app.get_options())
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    } else if (is_top) {
        for (const CLI::App* subcommand : app.get_subcommands({})) known.push_back(subcommand->get_name());
    } else {
        return "one word too many: \"" + word + "\"";
    }
    const std::vector<std::string_view> views(known.begin(), known.end());
    return std::string("unknown ") + (word.starts_with("-") ? "option" : "subcommand") + " \"" + word +
           "\", " + phyxel::suggestion(word, views) + "known: " + phyxel::word_list(views);
}

ExitCode run(int argc, char** argv)
{
    CLI::App app("Meshless physics for animation and modelling.", "phyxel");
    app.set_version_flag("--version", "phyxel " PHYXEL_VERSION, "Print the version and exit");
    app.footer("\"phyxel SUBCOMMAND --help\" says more. To begin: phyxel run dam_break");
    CommandLine line;
    add_run(app, line);
    add_validate(app, line);
    add_info(app, line);
    add_convert(app, line);
    add_render(app, line);
    add_plot(app, line);
    add_surface(app, line);
    add_studio(app, line);
    add_foam(app, line);
    add_schema(app, line);
    add_list(app, line);
    add_new(app, line);
    add_verify(app, line);

    // "phyxel help run" is what many would type first.
    std::vector<char*> words(argv, argv + argc);
    std::string help = "--help";
    if (argc > 1 && std::string_view(argv[1]) == "help") {
        words.erase(words.begin() + 1);
        const auto known = app.get_subcommands({});
        const bool is_known =
            words.size() < 2 || std::any_of(known.begin(), known.end(),
                                            [&](const CLI::App* a) { return a->get_name() == words[1]; });
        if (is_known) words.push_back(help.data()); // else the word is complained of
    }

    try {
        app.parse(static_cast<int>(words.size()), words.data());
        // Not left to CLI11, which would complain of a missing subcommand before an unknown word.
        if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
    } catch (const CLI::Success& asked_for_text) {
        return static_cast<ExitCode>(app.exit(asked_for_text));
    } catch (const CLI::ParseError& error) {
        const std::vector<CLI::App*> chosen = app.get_subcommands();
        const CLI::App& where = chosen.empty() ? app : *chosen.front();
        const std::string unknown = unknown_words(where);
        say(unknown.empty() ? error.what() : unknown);
        say("try \"phyxel " + (chosen.empty() ? "" : where.get_name() + " ") + "--help\"");
        return BadInput;
    }

    constexpr int most_threads = 1024;
    if (line.threads && *line.threads > most_threads)
        throw phyxel::InputError("--threads " + std::to_string(*line.threads) + ": at most " +
                                 std::to_string(most_threads) + " are allowed");
    std::optional<phyxel::ThreadLimit> limit;
    // More threads than cores would only be in each other's way.
    if (line.threads) limit.emplace(std::min(*line.threads, phyxel::usable_core_count()));
    return line.chosen();
}

/// Whoever starts us with closed streams must not find what we say in the next file that is opened. Opened
/// the wrong way round, so that reading and writing fail as they would have.
void fill_closed_streams()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// Whether the machine failed, rather than what it was asked to do.
bool is_failure_of_machine(const std::error_code& code)
{
    constexpr std::array failures = {std::errc::no_space_on_device, std::errc::io_error,
                                     std::errc::file_too_large, std::errc::not_enough_memory,
                                     std::errc::too_many_files_open_in_system};
    return code.value() == EDQUOT ||
           std::any_of(failures.begin(), failures.end(), [&](std::errc failure) { return code == failure; });
}

} // namespace

int main(int argc, char** argv)
{
    fill_closed_streams();
    if (!phyxel::cpu_supports_baseline()) {
        say("this processor cannot run Phyxel, which needs AVX2, FMA and BMI2");
        return Failed;
    }
    try {
        const ExitCode code = run(argc, argv);
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
        say("cannot write to standard output");
    } catch (const phyxel::SceneError& error) {
        // Each line begins with its place, as editors expect it.
        std::fprintf(stderr, "%s\n", error.what());
        return BadInput;
    } catch (const phyxel::IoError& error) {
        say(error.what());
        return is_failure_of_machine(error.code()) ? Failed : BadInput;
    } catch (const phyxel::InputError& error) {
        say(error.what());
        return BadInput;
    } catch (const std::exception& error) {
        const std::string room = lack_of_room(std::current_exception());
        say(room.empty() ? std::string("unexpected error: ") + error.what() : room);
    }
    return Failed;
}
