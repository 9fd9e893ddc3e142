// SPDX-License-Identifier: MIT
#include "studio/server/sitting.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace phyxel::studio::sitting_test {
namespace {

constexpr ClientNumber first = 1, second = 2;

/// Would take far longer to open than any test waits.
const std::string large_scene = R"({ "count": 2000000, "bodies": [ { "name": "ball", "type": "solid",
    "material": "jelly", "shape": { "sphere": { "center": [0, 0, 0.5], "radius": 0.3 } } } ] })";

TEST(Sitting, tells_who_comes_in_the_same_moment_that_something_else_is_being_opened)
{
    std::mutex mutex;
    std::condition_variable changed;
    bool may_go_on = false;
    std::optional<std::string> told;
    const auto tell = [&](News news) {
        const auto* scene = std::get_if<SceneNews>(&news);
        if (scene == nullptr) return;
        std::unique_lock lock(mutex);
        if (scene->client == second) told = scene->text;
        changed.notify_all();
        // Until both commands below wait.
        if (scene->client == first) changed.wait(lock, [&] { return may_go_on; });
    };
    Sitting sitting({}, tell);
    ASSERT_TRUE(sitting.post(first, ClientCame{}));
    OpenRequest request;
    request.name = "large";
    request.text = large_scene;
    ASSERT_TRUE(sitting.post(first, std::move(request)));
    ASSERT_TRUE(sitting.post(second, ClientCame{}));
    std::unique_lock lock(mutex);
    may_go_on = true;
    changed.notify_all();
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(20), [&] { return told.has_value(); }));
    EXPECT_NE(told.value_or("").find(R"("opening")"), std::string::npos);
}

} // namespace
} // namespace phyxel::studio::sitting_test
