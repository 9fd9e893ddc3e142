// SPDX-License-Identifier: MIT
#include "studio.h"

#include "interrupt.h"
#include "run_folders.h"
#include "shipped.h"
#include "studio/server/kept_addresses.h"
#include "studio/server/run_scene.h"
#include "studio/server/scene_files.h"
#include "studio/server/server.h"

#include <phyxel/core/error.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/scene/scene.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// Beside the examples, where it is installed; in the source tree, where it is built.
fs::path bundle_folder()
{
    const fs::path data = shipped_folder().parent_path();
    std::error_code error;
    const fs::path built = data / "apps" / "studio" / "web" / "dist";
    return fs::is_directory(data / "apps", error) ? built : data / "studio";
}

/// Whoever names a scene means the files that it names as well, wherever they lie.
void allow_files(const Scene& scene, const fs::path& folder, studio::ServerOptions& options)
{
    for (fs::path& file : studio::files_of(scene, folder)) options.roots.push_back(std::move(file));
}

/// What is opened at first, and the folder that is offered.
void choose(const StudioCommand& command, studio::ServerOptions& options)
{
    std::error_code error;
    const fs::path path = command.what == "last" ? find_run("last") : fs::path(command.what);
    if (fs::is_directory(path, error)) {
        if (!command.assignments.empty())
            throw InputError("--set needs a scene; " + path.string() + " is a folder");
        if (studio::is_run_folder(path)) {
            try {
                const studio::RunScene made_from = studio::read_run_scene(path);
                allow_files(Scene::parse(made_from.text, "scene", made_from.folder, standard_kinds()),
                            made_from.folder, options);
            } catch (const InputError&) { // the page says what is missing then
            }
            options.first = {.name = fs::absolute(path, error).lexically_normal().filename().string(),
                             .path = path,
                             .text = {},
                             .folder = {},
                             .is_run = true};
            return;
        }
        options.folder = path;
        options.save_folder = path;
        options.roots.push_back(path);
        return;
    }
    if (path.extension() == ".phyxel" && fs::is_regular_file(path, error)) {
        if (!command.assignments.empty())
            throw InputError("--set needs a scene; " + path.string() + " is a checkpoint");
        const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
        // What is wrong is said here, not in the browser.
        allow_files(Scene::parse(scene_of(CheckpointReader(path)), path.string(), folder, standard_kinds()),
                    folder, options);
        options.roots.push_back(folder);
        options.first = {.name = path.stem().string(),
                         .path = {},
                         .text = {},
                         .folder = {},
                         .is_run = false,
                         .checkpoint = folder / path.filename()};
        return;
    }
    const fs::path scene = find_scene(command.what);
    const fs::path folder = scene.has_parent_path() ? scene.parent_path() : fs::path(".");
    allow_files(Scene::read(scene, standard_kinds(), command.assignments), folder, options);
    options.roots.push_back(folder);
    options.first = {.name = scene_name(scene),
                     .path = folder / scene.filename(),
                     .text = {},
                     .folder = {},
                     .is_run = false,
                     .checkpoint = {},
                     .assignments = command.assignments};
}

bool is_loopback(const std::string& address) { return address == "::1" || address.starts_with("127."); }

/// At the address of an earlier start if that is free, so that pages that are still open come back by
/// themselves. Each port has a token of its own: whatever else took one meanwhile may have been told its
/// token. What others can reach gets a new one each time.
std::unique_ptr<studio::Server> start(const StudioCommand& command, studio::ServerOptions options)
{
    const bool keeps = is_loopback(command.address);
    const fs::path file = studio::kept_addresses_file();
    if (keeps)
        for (const studio::KeptAddress& kept : studio::read_kept_addresses(file)) {
            if (command.port && *command.port != kept.port) continue;
            options.port = kept.port;
            options.token = kept.token;
            try {
                return std::make_unique<studio::Server>(options);
            } catch (const InputError&) { // somebody else has this port
            }
        }
    options.port = static_cast<std::uint16_t>(command.port.value_or(0));
    options.token.clear();
    auto server = std::make_unique<studio::Server>(std::move(options));
    if (keeps) studio::keep_address(file, {server->port(), server->token()});
    return server;
}

} // namespace

ExitCode run_studio(const StudioCommand& command)
{
    constexpr int last_port = 65535;
    if (command.port && (*command.port < 0 || *command.port > last_port))
        throw InputError("--port " + std::to_string(*command.port) + ": expected a number from 0 to 65535");
    studio::ServerOptions options;
    options.address = command.address;
    options.version = PHYXEL_VERSION;
    options.bundle = bundle_folder();
    options.roots.push_back(shipped_folder());
    for (const ShippedExample& example : shipped_examples())
        options.examples.push_back({example.name, example.path, example.summary});
    if (!command.what.empty())
        choose(command, options);
    else if (!command.assignments.empty())
        throw InputError("--set needs a scene");

    // What is saved can be opened again. Whoever names a folder saves into that one.
    if (!options.folder) {
        options.folder = options.save_folder;
        options.roots.push_back(options.save_folder);
    }

    const fs::path save_folder = options.save_folder;
    InterruptGuard interrupt;
    const std::unique_ptr<studio::Server> started = start(command, std::move(options));
    studio::Server& server = *started;
    if (!is_loopback(command.address))
        warn("--listen " + command.address + ": machines that reach this one at port " +
             std::to_string(server.port()) +
             " can load the page; whoever has the token below can run scenes, "
             "read the scenes and runs of the folder, and write scenes into " +
             save_folder.string() + ". The connection is not encrypted");
    for (const std::string& url : server.urls()) print("studio: " + url + "\n");
    std::fflush(stdout);
    server.run([&] { return interrupt.is_interrupted(); });
    // A scene that is still being filled is of no use to anybody, and nothing of it is on the disk.
    if (!server.end(std::chrono::seconds(1))) std::_Exit(Done);
    return Done;
}

} // namespace phyxel::command
