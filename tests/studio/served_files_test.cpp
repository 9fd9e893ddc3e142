// SPDX-License-Identifier: MIT
#include "studio/server/gallery.h"
#include "studio/server/scene_files.h"
#include "studio/server/served_files.h"
#include "studio/server/validator.h"
#include "support/temporary_folder.h"

#include <phyxel/core/error.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace phyxel::studio::served_files_test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

void write(const fs::path& path, std::string_view text = "x")
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

/// A folder that is served, with a secret beside it.
class ServedFiles : public testing::Test {
protected:
    ServedFiles()
    {
        write(root / "index.html");
        write(root / "assets" / "app.js");
        write(root / ".hidden");
        write(folder / "secret");
        write(folder / "root_secret");
        fs::create_symlink(folder / "secret", root / "link");
        fs::create_directory_symlink(folder.path(), root / "up");
        fs::create_symlink("index.html", root / "inner_link");
    }

    TemporaryFolder folder;
    fs::path root = folder / "root";
};

TEST_F(ServedFiles, plain_names_below_the_folder_are_found)
{
    EXPECT_EQ(confined_path(root, "index.html"), root / "index.html");
    EXPECT_EQ(confined_path(root, "assets/app.js"), root / "assets/app.js");
    EXPECT_EQ(confined_path(root, "assets"), root / "assets");
}

TEST_F(ServedFiles, there_is_no_way_out)
{
    const std::string absolute = (folder / "secret").string();
    for (const std::string_view path : {""sv,
                                        "."sv,
                                        ".."sv,
                                        "../secret"sv,
                                        "assets/../../secret"sv,
                                        "assets/.."sv,
                                        "./index.html"sv,
                                        "/index.html"sv,
                                        "//index.html"sv,
                                        "assets//app.js"sv,
                                        "assets/"sv,
                                        ".hidden"sv,
                                        "link"sv,
                                        "inner_link"sv,
                                        "up/secret"sv,
                                        "up"sv,
                                        "..\\secret"sv,
                                        "assets\\app.js"sv,
                                        "index.html\0.js"sv,
                                        "index\n.html"sv,
                                        "%2e%2e/secret"sv,
                                        "missing"sv,
                                        "index.html/x"sv,
                                        "../root_secret"sv})
        EXPECT_EQ(confined_path(root, path), std::nullopt) << path;
    EXPECT_EQ(confined_path(root, absolute), std::nullopt);
    EXPECT_EQ(confined_path(root, std::string(100000, 'a')), std::nullopt);
    EXPECT_EQ(confined_path({}, "etc/passwd"), std::nullopt);
}

TEST_F(ServedFiles, targets_are_decoded_once_and_strictly)
{
    EXPECT_EQ(decode_target("/a%20b?token=1"), "/a b");
    EXPECT_EQ(decode_target("/%2e%2e/secret"), "/../secret");
    EXPECT_EQ(decode_target("/%252e%252e/secret"), "/%2e%2e/secret"); // which then is a plain name
    EXPECT_EQ(decode_target("/%c3%a4"), "/ä");
    for (const std::string_view target :
         {"/%"sv, "/%2"sv, "/%zz"sv, "/a%00b"sv, "/a\0b"sv, "/%0d%0a"sv, "/%ff"sv, "/%c0%ae"sv})
        EXPECT_EQ(decode_target(target), std::nullopt) << target;
    for (const char* target : {"/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret", "/%252e%252e/secret",
                               "/assets/..%2f..%2fsecret", "/..%5csecret", "/link", "/up/secret"}) {
        const auto path = decode_target(target);
        ASSERT_TRUE(path) << target;
        EXPECT_EQ(confined_path(root, std::string_view(*path).substr(1)), std::nullopt) << target;
    }
    EXPECT_EQ(query_of("/a?token=1#x"), "token=1");
    EXPECT_EQ(query_of("/a"), "");
}

TEST_F(ServedFiles, below_means_below_with_links_followed)
{
    EXPECT_TRUE(is_below(root / "index.html", root));
    EXPECT_TRUE(is_below(root / "assets" / ".." / "index.html", root));
    EXPECT_TRUE(is_below(root / "not" / "there", root));
    EXPECT_TRUE(is_below(root, root));
    EXPECT_FALSE(is_below(folder / "secret", root));
    EXPECT_FALSE(is_below(folder / "root_secret", root)); // begins alike
    EXPECT_FALSE(is_below(root / "link", root));
    EXPECT_FALSE(is_below(root / "up" / "secret", root));
    EXPECT_FALSE(is_below(root / ".." / "secret", root));
}

/// A scene whose obstacle is made from a file.
Scene scene_with_mesh(const std::string& mesh, const fs::path& folder)
{
    return Scene::parse(
        R"({ "bodies": [ { "name": "w", "type": "fluid", "shape": { "sphere": { "center": [0, 0, 9], "radius": 1 } } } ],
        "obstacles": [ { "name": "o", "shape": { "union": [ { "mesh": ")" +
            mesh + R"(" } ] } } ] })",
        "a.json", folder, standard_kinds());
}

TEST_F(ServedFiles, a_scene_cannot_name_files_elsewhere)
{
    EXPECT_NO_THROW(check_scene_files(scene_with_mesh("assets/app.ply", root), root, {root}));
    for (const std::string& mesh :
         {std::string("../secret"), (folder / "secret").string(), std::string("link"),
          std::string("up/secret"), std::string("/etc/passwd")})
        EXPECT_THROW(check_scene_files(scene_with_mesh(mesh, root), root, {root}), SceneError) << mesh;
    EXPECT_NO_THROW(check_scene_files(scene_with_mesh("../secret", root), root, {root, folder.path()}));
}

TEST_F(ServedFiles, a_scene_is_not_read_for_the_emitters_that_its_events_bring)
{
    write(root / "tap.obj", "these words stay here");
    const std::string text = R"({ "spacing": 0.01, "bodies": [ { "name": "water", "type": "fluid",
          "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.1 } } } ],
        "events": [ { "time": 0.1, "set": { "emitters": [ { "name": "tap", "body": "water", "velocity": [1, 0, 0],
          "shape": { "mesh": "FILE" } } ] } } ] })";
    const auto answer = [&](const std::string& file) {
        std::string scene = text;
        scene.replace(scene.find("FILE"), 4, file);
        return problems_text({7, scene}, root / "assets", {root / "assets"});
    };
    EXPECT_NE(answer("../tap.obj").find("the studio may not read"), std::string::npos)
        << answer("../tap.obj");
    EXPECT_EQ(answer("../tap.obj").find("these"), std::string::npos);
    write(root / "assets" / "tap.obj", "these words stay here");
    EXPECT_NE(answer("tap.obj").find("tap.obj"), std::string::npos) << "it is read where it may be";
}

TEST_F(ServedFiles, encodings_are_read_as_browsers_write_them)
{
    for (const char* encodings : {"gzip", "gzip, deflate, br", "br;q=1.0,gzip;q=0.5", "deflate , gzip ; q=1"})
        EXPECT_TRUE(accepts_gzip(encodings)) << encodings;
    for (const char* encodings : {"", "br", "identity", "gzip;q=0", "gzip;q=0.000", "x-gzip", "gzipped", "*"})
        EXPECT_FALSE(accepts_gzip(encodings)) << encodings;
}

TEST_F(ServedFiles, a_text_that_is_saved_elsewhere_names_the_same_files)
{
    const std::string text = "// \"mesh\": \"no.obj\" is not meant, nor ü\n"
                             "{ \"a\": \"ü\", \"mesh\": \"sub/a\\\"b.obj\",\n"
                             "  \"b\": [ { \"mesh\": \"../c.obj\" }, { \"mesh\": \"/d.obj\" } ] }\n";
    EXPECT_EQ(with_files_from(text, "/x/scenes", "/x/saved"),
              "// \"mesh\": \"no.obj\" is not meant, nor ü\n"
              "{ \"a\": \"ü\", \"mesh\": \"../scenes/sub/a\\\"b.obj\",\n"
              "  \"b\": [ { \"mesh\": \"../c.obj\" }, { \"mesh\": \"/d.obj\" } ] }\n");
    EXPECT_EQ(with_files_from(text, "/x/scenes", "/x/scenes"), text);
}

TEST_F(ServedFiles, the_gallery_has_examples_and_what_is_in_the_folder)
{
    const std::string scene = R"({ "dimension": 2, "bodies": [] })";
    write(folder / "b.json", scene);
    write(folder / "sub" / "a.json", scene);
    write(folder / "sub" / "other.json", "{}");
    write(folder / "runs" / "one" / "manifest.json", scene);
    write(folder / "runs" / "one" / "frames" / "w_000000.ply");
    fs::create_directory_symlink("/", folder / "everything");
    const Node gallery = gallery_node({{"first", folder / "b.json", "A sentence."}}, folder.path());
    EXPECT_EQ(
        to_line(gallery),
        R"({ "examples": [{ "name": "first", "sentence": "A sentence.", "dimension": 2, "thumbnail": "/thumbnails/first.jpg" }], )"
        R"("folder_name": ")" +
            folder.path().string() +
            R"(", "folder": [{ "path": "b.json", "kind": "scene" }, { "path": "runs/one", "kind": "run" }, { "path": "sub/a.json", "kind": "scene" }] })");
}

} // namespace
} // namespace phyxel::studio::served_files_test
