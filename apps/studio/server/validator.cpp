// SPDX-License-Identifier: MIT
#include "validator.h"

#include "scene_files.h"
#include "studio_machine.h"

#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>
#include <phyxel/scene/scene_error.h>

#include <exception>
#include <utility>

namespace phyxel::studio {
namespace {

Node problem_node(const Problem& problem)
{
    return Node::object(
        {{"line", problem.place.line},
         {"column", problem.place.column},
         {"path", problem.path},
         {"message", problem.what + (problem.allowed.empty() ? "" : ", " + problem.allowed)}});
}

} // namespace

std::string problems_text(const ValidateMessage& message, const std::filesystem::path& folder,
                          const std::vector<std::filesystem::path>& roots)
{
    Node problems = Node::list();
    Node warnings = Node::list();
    try {
        const Scene scene = Scene::parse(message.text, "scene", folder);
        check_scene_files(scene, folder, roots);
        const BuiltScene built = build_scene(scene, studio_machine());
        for (const std::string& warning : built.warnings) warnings.items().emplace_back(warning);
    } catch (const SceneError& error) {
        for (const Problem& problem : error.problems()) problems.items().push_back(problem_node(problem));
    } catch (const std::exception& error) {
        Problem problem;
        problem.what = error.what();
        problems.items().push_back(problem_node(problem));
    }
    return to_line(Node::object({{"type", "problems"},
                                 {"id", message.id},
                                 {"problems", std::move(problems)},
                                 {"warnings", std::move(warnings)}}));
}

Validator::Validator(std::vector<std::filesystem::path> roots,
                     std::function<void(ClientNumber, std::string)> tell)
    : roots_(std::move(roots)),
      tell_(std::move(tell)),
      thread_([this] { work(); })
{
}

Validator::~Validator()
{
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Validator::post(ClientNumber client, ValidateMessage message, std::filesystem::path folder)
{
    {
        const std::lock_guard lock(mutex_);
        jobs_[client] = {std::move(message), std::move(folder)};
    }
    changed_.notify_all();
}

void Validator::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return is_ending_ || !jobs_.empty(); });
        if (is_ending_) return;
        const auto waiting = jobs_.extract(jobs_.begin());
        const ClientNumber client = waiting.key();
        const Job& job = waiting.mapped();
        lock.unlock();
        tell_(client, problems_text(job.message, job.folder, roots_));
        lock.lock();
    }
}

} // namespace phyxel::studio
