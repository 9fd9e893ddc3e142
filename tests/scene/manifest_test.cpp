// SPDX-License-Identifier: MIT
#include <phyxel/scene/document.h>
#include <phyxel/scene/manifest.h>

#include "../support/temporary_folder.h"
#include "scene_support.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace phyxel::manifest_test {
namespace {

namespace fs = std::filesystem;

Manifest sample(const std::string& member = "\"seed\": 1")
{
    const Scene scene = parse(scene_with(member));
    return {.program = "test 1",
            .name = "cube",
            .scene = scene.resolved(),
            .derived = Node::object({{"particles", 8}}),
            .files_folder = {}};
}

TEST(Manifest, reads_back_as_it_was_written)
{
    const TemporaryFolder folder;
    Manifest manifest = sample();
    manifest.files_folder = folder / "shapes";
    fs::create_directories(folder / "runs/cube");
    std::ofstream(folder / "runs/cube/manifest.json") << manifest_text(manifest, folder / "runs/cube");
    const Manifest again = read_manifest(folder / "runs/cube");
    EXPECT_EQ(again.program, "test 1");
    EXPECT_EQ(again.name, "cube");
    EXPECT_EQ(again.scene, manifest.scene);
    EXPECT_EQ(again.derived, manifest.derived);
    EXPECT_EQ(fs::weakly_canonical(again.files_folder), fs::weakly_canonical(folder / "shapes"));
    EXPECT_TRUE(differences(again, manifest).empty());
    EXPECT_EQ(scene_of_run(again, folder / "runs/cube", standard_kinds()).resolved(), manifest.scene);
}

TEST(Manifest, what_is_none_is_refused)
{
    const TemporaryFolder folder;
    const auto error = [&] { return error_of([&] { static_cast<void>(read_manifest(folder.path())); }); };
    EXPECT_EQ(error(), folder.path().string() + ": is not a run, it has no manifest.json");
    for (const char* text : {"[]", "{}", "{ \"scene\": 1 }"}) {
        std::ofstream(folder / "manifest.json") << text;
        EXPECT_EQ(error(),
                  (folder / "manifest.json").string() + ": is not the manifest of a run, it has no scene");
    }
}

TEST(Manifest, differences_are_named_by_path)
{
    EXPECT_EQ(differences(sample("\"gravity\": [0, 0, -5]"), sample()),
              std::vector<std::string>{"gravity[2] is -5 there and -9.81 here"});
    EXPECT_EQ(differences(sample("\"spacing\": 0.5"), sample("\"count\": 8")),
              (std::vector<std::string>{"spacing is 0.5 there and not given here",
                                        "count is not given there and 8 here"}));
    Manifest other = sample();
    other.program = "test 2";
    EXPECT_EQ(differences(sample(), other),
              std::vector<std::string>{"it was made by test 1, this is test 2"});
    other = sample();
    other.derived = Node::object({{"particles", 9}});
    EXPECT_EQ(differences(sample(), other),
              std::vector<std::string>{"a file that the scene names, or the program, has changed"});
}

} // namespace
} // namespace phyxel::manifest_test
