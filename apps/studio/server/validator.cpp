// SPDX-License-Identifier: MIT
#include "validator.h"

#include "scene_files.h"
#include "studio_machine.h"

#include <phyxel/kinds/standard_kinds.h>
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
                          const std::vector<std::filesystem::path>& roots, const std::stop_token& stop)
{
    Node problems = Node::list();
    Node warnings = Node::list();
    const auto add = [](Node& list, Node node) {
        if (list.items().size() < max_told_problems) list.items().push_back(std::move(node));
    };
    try {
        const Scene scene = Scene::parse(message.text, "scene", folder, standard_kinds());
        check_scene_files(scene, folder, roots);
        const SceneCheck check = check_scene(scene, studio_machine(), WorkBudget(usual_check_work, stop));
        for (const std::string& warning : check.warnings) add(warnings, warning);
    } catch (const SceneError& error) {
        for (const Problem& problem : error.problems()) add(problems, problem_node(problem));
    } catch (const std::exception& error) {
        Problem problem;
        problem.what = error.what();
        add(problems, problem_node(problem));
    }
    if (stop.stop_requested()) return {};
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
    ask_to_end();
    thread_.join();
}

void Validator::ask_to_end()
{
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
        stop_.request_stop();
    }
    changed_.notify_all();
}

bool Validator::has_ended_by(std::chrono::steady_clock::time_point deadline)
{
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, deadline, [&] { return has_ended_; });
}

void Validator::post(ClientNumber client, ValidateMessage message, std::filesystem::path folder)
{
    {
        const std::lock_guard lock(mutex_);
        if (client == present_) stop_.request_stop(); // nobody wants to know any more
        jobs_[client] = {std::move(message), std::move(folder)};
    }
    changed_.notify_all();
}

void Validator::work()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return is_ending_ || !jobs_.empty(); });
        if (is_ending_) break;
        // In turns, or somebody who types fast would keep the others waiting.
        auto next = jobs_.upper_bound(present_);
        if (next == jobs_.end()) next = jobs_.begin();
        const auto waiting = jobs_.extract(next);
        present_ = waiting.key();
        stop_ = {};
        const Job& job = waiting.mapped();
        const std::stop_token stop = stop_.get_token();
        const ClientNumber client = present_;
        lock.unlock();
        std::string text = problems_text(job.message, job.folder, roots_, stop);
        if (!text.empty()) tell_(client, std::move(text));
        lock.lock();
    }
    has_ended_ = true;
    changed_.notify_all();
}

} // namespace phyxel::studio
