// SPDX-License-Identifier: MIT
// The whole server over real connections: who is let in, what is shown, and what it takes without falling
// over.
#include "studio/studio_server_fixture.h"

#include "studio/server/frame_encoder.h"

#include <phyxel/core/error.h>
#include <phyxel/io/frames.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <deque>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace phyxel::studio::server_test {
namespace {

TEST_F(StudioServer, pages_are_for_all_and_the_rest_for_those_who_know_the_token)
{
    const HttpAnswer page = http_get(port(), "/");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.body, "<p>page</p>");
    EXPECT_EQ(page.head.find("Set-Cookie"), std::string::npos);
    EXPECT_NE(page.head.find("Content-Security-Policy: default-src 'self';"), std::string::npos);
    EXPECT_NE(page.head.find("X-Content-Type-Options: nosniff"), std::string::npos);
    EXPECT_NE(page.head.find("Referrer-Policy: no-referrer"), std::string::npos);
    EXPECT_EQ(http_get(port(), "/assets/app.js").body, "code");
    for (const char* target : {"/api/gallery", "/ws", "/thumbnails/jelly.jpg", "/api/gallery?token=wrong"})
        EXPECT_EQ(http_get(port(), target).status, 401) << target;
    EXPECT_EQ(http_get(port(), "/thumbnails/jelly.jpg?token=" + token).body, "picture");
    EXPECT_EQ(http_get(port(), "/thumbnails/none.jpg?token=" + token).status, 404);

    const HttpAnswer gallery = http_get(port(), "/api/gallery?token=" + token);
    EXPECT_EQ(gallery.status, 200);
    const Node node = parse_document(gallery.body, "gallery");
    EXPECT_EQ(path_of(node.find("examples")->items().at(0), "name"), "jelly");
    EXPECT_EQ(path_of(node.find("folder")->items().at(0), "path"), "puddle.json");
}

TEST_F(StudioServer, files_that_were_compressed_are_sent_so_to_those_who_can_read_them)
{
    write(folder / "bundle/index.html.gz", "short");
    write(folder / "bundle/assets/app.js.gz", "shorter");
    for (const char* target : {"/", "/assets/app.js"}) {
        const HttpAnswer small = http_get(port(), target, "Accept-Encoding: br, gzip;q=0.8\r\n");
        EXPECT_EQ(small.body, target == std::string("/") ? "short" : "shorter");
        EXPECT_NE(small.head.find("Content-Encoding: gzip"), std::string::npos);
        EXPECT_NE(small.head.find(target == std::string("/") ? "Content-Type: text/html"
                                                             : "Content-Type: text/javascript"),
                  std::string::npos);
    }
    for (const char* encodings : {"", "Accept-Encoding: identity\r\n", "Accept-Encoding: gzip;q=0\r\n"}) {
        const HttpAnswer large = http_get(port(), "/assets/app.js", encodings);
        EXPECT_EQ(large.body, "code") << encodings;
        EXPECT_EQ(large.head.find("Content-Encoding"), std::string::npos) << encodings;
    }
}

TEST_F(StudioServer, bodies_are_told_by_what_can_be_done_with_them)
{
    Page page(port());
    page.send_node(
        Node::object({{"type", "open"}, {"name", "both"}, {"text", R"({ "count": 300, "duration": 100,
        "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
        "bodies": [ { "name": "drop", "type": "fluid", "shape": { "sphere": { "center": [0, 0, 0.5], "radius": 0.1 } } },
                    { "name": "block", "type": "solid", "material": "jelly", "skin": { "detail": 0 },
                      "shape": { "box": { "min": [0.3, 0.3, 0.3], "max": [0.6, 0.6, 0.6] } } } ] })"}}));
    const Node scene = page.until("scene");
    const Node& drop = scene.find("bodies")->items().at(0);
    const Node& block = scene.find("bodies")->items().at(1);
    EXPECT_EQ(to_line(*drop.find("can")), R"(["push", "drop", "pour"])");
    EXPECT_EQ(path_of(drop, "surface"), "made");
    EXPECT_EQ(to_line(*block.find("can")), R"(["grab", "fix", "push", "warm", "drop"])");
    EXPECT_EQ(path_of(block, "surface"), "skin");
    EXPECT_EQ(drop.find("type"), nullptr) << "the kind is nobody's business";
    std::vector<std::string> fields;
    for (const Node& field : scene.find("fields")->items()) fields.push_back(path_of(field, "name"));
    std::vector<std::string> expected = {"velocity"};
    const Kinds kinds = standard_kinds();
    for (const char* name : {"fluid", "solid"})
        for (const FieldInfo& field : kinds.find<3>(name)->fields) expected.emplace_back(field.name);
    EXPECT_EQ(fields, expected);
}

TEST_F(StudioServer, surfaces_are_coloured_by_every_field_and_all_pages_have_one_range)
{
    Page page(port());
    page.send(R"({"type":"view","color":"pressure","surface":true,"made_surface":true})");
    page.send_node(
        Node::object({{"type", "open"}, {"name", "pool"}, {"text", R"({ "count": 500, "duration": 100,
        "domain": { "min": [0, 0, 0], "max": [0.2, 0.2, 0.4] },
        "bodies": [ { "name": "pool", "type": "fluid",
                      "shape": { "box": { "min": [0, 0, 0], "max": [0.2, 0.2, 0.2] } } } ] })"}}));
    const auto has_frames = [](const Node& s) { return s.find("frame")->number() >= 3.0; };
    (void)page.until("state", has_frames);
    const DecodedFrame frame = *page.until_frame();
    ASSERT_TRUE(frame.bodies[0].surface);
    const std::vector<double>& colors = frame.bodies[0].surface->color;
    ASSERT_EQ(colors.size(), frame.bodies[0].surface->vertices.positions.size());
    EXPECT_GT(*std::max_element(colors.begin(), colors.end()), 0.0) << "the bottom carries the rest";

    page.send(R"({"type":"pause"})");
    const auto stands = [](const Node& s) { return *s.find("playing") == Node(false); };
    const Node first = page.until("state", stands);
    Page other(port());
    other.send(R"({"type":"view","color":"pressure","surface":true})");
    const auto has_range = [](const Node& s) { return s.find("ranges")->find("pressure") != nullptr; };
    const Node seen = other.until("state", has_range);
    ASSERT_FALSE(seen.is_null());
    const auto& range = seen.find("ranges")->find("pressure")->items();
    EXPECT_GT(range.at(1).number(), range.at(0).number());
    EXPECT_EQ(*seen.find("ranges")->find("pressure"), *first.find("ranges")->find("pressure"));
}

TEST_F(StudioServer, foreign_hosts_and_origins_are_refused)
{
    const std::string mine = "http://127.0.0.1:" + std::to_string(port());
    EXPECT_EQ(http_get(port(), "/", "Host: evil.com\r\n").status, 403);
    EXPECT_EQ(http_get(port(), "/", "Host: 127.0.0.1\r\n").status, 403);
    EXPECT_EQ(http_get(port(), "/", "Origin: http://evil.com\r\n").status, 403);
    EXPECT_EQ(http_get(port(), "/", "Origin: " + mine + "\r\n").status, 200);
    const std::string target = "/ws?token=" + token;
    EXPECT_EQ(WebSocketClient(port(), target, "Origin: http://evil.com\r\n").status(), 403);
    EXPECT_EQ(WebSocketClient(port(), target, "Host: evil.com:" + std::to_string(port()) + "\r\n").status(),
              403);
    EXPECT_EQ(WebSocketClient(port(), target, "Origin: " + mine + "\r\n").status(), 101);
    EXPECT_EQ(WebSocketClient(port(), "/ws?token=wrong").status(), 401);
    EXPECT_EQ(WebSocketClient(port(), "/ws").status(), 401);
}

TEST_F(StudioServer, what_else_serves_pages_on_this_machine_gets_no_token_and_no_frame)
{
    // Cookies know no ports: whatever is in one goes to every program that serves a page at this address.
    const HttpAnswer opened = http_get(port(), "/?token=" + token);
    EXPECT_EQ(opened.status, 200);
    EXPECT_EQ(opened.head.find("Set-Cookie"), std::string::npos);
    EXPECT_EQ(opened.head.find(token), std::string::npos);
    for (const std::string& cookie :
         {"phyxel_" + std::to_string(port()) + "=" + token, "phyxel=" + token, "token=" + token}) {
        EXPECT_EQ(http_get(port(), "/api/gallery", "Cookie: " + cookie + "\r\n").status, 401) << cookie;
        EXPECT_EQ(WebSocketClient(port(), "/ws", "Cookie: " + cookie + "\r\n").status(), 401) << cookie;
    }
    // Nor can its pages ask, or show ours within theirs.
    const auto other = std::to_string(port() == 65535 ? 1024 : port() + 1);
    const auto own = std::to_string(port());
    for (const std::string& origin :
         {"http://127.0.0.1:" + other, "http://localhost:" + other, "http://localhost:" + own,
          "http://[::1]:" + own, "https://127.0.0.1:" + own, std::string("http://127.0.0.1"),
          std::string("null")}) {
        const std::string header = "Origin: " + origin + "\r\n";
        EXPECT_EQ(http_get(port(), "/api/gallery?token=" + token, header).status, 403) << origin;
        EXPECT_EQ(WebSocketClient(port(), "/ws?token=" + token, header).status(), 403) << origin;
    }
    for (const std::string& target :
         {std::string("/"), "/?token=" + token, std::string("/assets/app.js"), std::string("/none"),
          std::string("/api/gallery"), "/api/gallery?token=" + token,
          "/thumbnails/jelly.jpg?token=" + token}) {
        const std::string head = http_get(port(), target).head;
        for (const char* line :
             {"frame-ancestors 'none'", "X-Frame-Options: DENY", "Cross-Origin-Resource-Policy: same-origin",
              "Cross-Origin-Opener-Policy: same-origin"})
            EXPECT_NE(head.find(line), std::string::npos) << target << ": " << line;
    }
}

TEST_F(StudioServer, silent_connections_give_way_to_those_who_ask)
{
    Page page(port());
    (void)page.until("gallery");
    LocalConnection known(port());
    known.send(http_request(port(), "/api/gallery?token=" + token, ""));
    EXPECT_EQ(read_answer(known).status, 200);

    // More than there is room for: silent ones, and some that never come to the end of what they say.
    std::deque<LocalConnection> silent;
    for (int n = 0; n < 150; ++n) {
        silent.emplace_back(port());
        if (n % 3 == 0) silent.back().send("GET / HTTP/1.1\r\nHost: 127.0.0.1:");
    }
    const auto begin = std::chrono::steady_clock::now();
    for (int n = 0; n < 5; ++n) EXPECT_EQ(http_get(port(), "/").status, 200);
    EXPECT_EQ(http_get(port(), "/api/gallery?token=" + token).status, 200);
    EXPECT_EQ(Page(port()).status(), 101);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_LT(seconds, 2.0); // a silent one may stay for 5 s

    // Whoever has shown the token keeps its connection.
    known.send(http_request(port(), "/api/gallery", ""));
    EXPECT_EQ(read_answer(known).status, 401); // it has to show it again, all the same
    page.send(open_jelly);
    EXPECT_FALSE(page.until("scene").is_null());
    EXPECT_TRUE(silent.front().is_closed(2.0)); // the oldest
}

TEST_F(StudioServer, connections_that_have_asked_stay_when_silent_ones_come)
{
    std::deque<LocalConnection> asked;
    for (int n = 0; n < 40; ++n) {
        asked.emplace_back(port());
        asked.back().send(http_request(port(), "/", ""));
        EXPECT_EQ(read_answer(asked.back()).status, 200);
    }
    std::deque<LocalConnection> silent;
    for (int n = 0; n < 100; ++n) silent.emplace_back(port());
    EXPECT_EQ(http_get(port(), "/").status, 200);
    for (LocalConnection& connection : asked) {
        connection.send(http_request(port(), "/", ""));
        EXPECT_EQ(read_answer(connection).status, 200);
    }
}

TEST(StudioConnections, who_does_not_ask_in_time_is_not_waited_for)
{
    Server server({.token = token, .first_request_time = std::chrono::milliseconds(200)});
    std::atomic<bool> is_ending = false;
    std::thread thread([&] { server.run([&] { return is_ending.load(); }); });
    {
        LocalConnection silent(server.port()), slow(server.port());
        slow.send("GET / HTTP/1.1\r\n");
        EXPECT_TRUE(silent.is_closed(5.0));
        EXPECT_TRUE(slow.is_closed(5.0));
    }
    is_ending = true;
    thread.join();
}

TEST_F(StudioServer, files_elsewhere_are_not_served)
{
    for (const char* target : {"/../secret.json", "/%2e%2e/secret.json", "/assets/..%2f..%2fsecret.json",
                               "/%252e%252e/secret.json", "//etc/passwd", "/assets/", "/assets",
                               "/index.html%00.js", "/..\\secret.json"}) {
        const HttpAnswer answer = http_get(port(), target);
        EXPECT_TRUE(answer.status == 404 || answer.status == 400) << target << ": " << answer.status;
    }
    Page page(port());
    for (const char* file : {"../secret.json", "/etc/passwd", "%2e%2e/secret.json", "../mine/puddle.json"}) {
        page.send(R"({"type":"open","file":")" + std::string(file) + "\"}");
        EXPECT_NE(path_of(page.until("error"), "message").find("there is no scene"), std::string::npos)
            << file;
    }
    page.send(R"({"type":"open","run":"../mine"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("there is no run"), std::string::npos);
    page.send(
        R"({"type":"open","text":"{ \"bodies\": [ { \"name\": \"a\", \"type\": \"fluid\", \"shape\": { \"mesh\": \"/etc/passwd\" } } ] }"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("may not read"), std::string::npos);
}

TEST_F(StudioServer, an_example_is_opened_watched_paused_and_stepped)
{
    Page page(port());
    ASSERT_EQ(page.status(), 101);
    const Node hello = page.until("hello");
    EXPECT_EQ(path_of(hello, "version"), "9.9.9");
    EXPECT_EQ(*hello.find("protocol"), Node(4));
    EXPECT_FALSE(page.until("gallery").is_null());

    page.send(R"({"type":"open","example":"jelly","set":["count=30"]})");
    const Node scene = page.until("scene");
    EXPECT_EQ(path_of(scene, "name"), "jelly");
    EXPECT_EQ(path_of(scene, "kind"), "live");
    EXPECT_EQ(path_of(scene, "text"), jelly);
    EXPECT_EQ(*scene.find("last_frame"), Node(20));
    EXPECT_EQ(path_of(scene.find("bodies")->items().at(0), "surface"), "skin");
    const std::string fields = to_line(*scene.find("fields"));
    EXPECT_TRUE(
        fields.starts_with(R"([{ "name": "velocity", "unit": "m/s" }, { "name": "strain", "unit": "" }, )"
                           R"({ "name": "stress", "unit": "Pa" }, { "name": "energy", "unit": "J/m³" }, )"))
        << fields;
    EXPECT_FALSE(scene.find("parameters")->items().empty());

    const DecodedFrame first = *page.until_frame();
    EXPECT_EQ(first.sitting, static_cast<std::uint32_t>(scene.find("serial")->number()));
    ASSERT_EQ(first.bodies.size(), 1u);
    const std::size_t count = first.bodies[0].points.positions.size();
    EXPECT_GT(count, 20u);
    EXPECT_LT(count, 45u);
    EXPECT_EQ(first.bodies[0].ids.size(), count);
    ASSERT_TRUE(first.bodies[0].surface);

    // It plays by itself, and stops once at the end of its duration.
    const Node end =
        page.until("state", [](const Node& state) { return *state.find("finished") == Node(true); });
    EXPECT_EQ(*end.find("playing"), Node(false));
    EXPECT_EQ(*end.find("frame"), Node(20));
    EXPECT_GT(page.until_frame()->serial, first.serial);
    EXPECT_EQ(to_line(*end.find("energies")).find(R"([{ "body": "block", "kinetic": )"), 0u);

    page.send(R"({"type":"step"})");
    const Node step = page.until("state", [](const Node& state) { return *state.find("frame") == Node(21); });
    EXPECT_EQ(*step.find("playing"), Node(false));
    page.send(R"({"type":"play"})");
    EXPECT_FALSE(page.until("state", [](const Node& state) { return *state.find("playing") == Node(true); })
                     .is_null());
    page.send(R"({"type":"pause"})");
    EXPECT_FALSE(page.until("state", [](const Node& state) { return *state.find("playing") == Node(false); })
                     .is_null());
    page.send(R"({"type":"restart"})");
    EXPECT_EQ(scene.find("serial")->number() + 1.0, page.until("scene").find("serial")->number());
    page.send(R"({"type":"close"})");
    EXPECT_FALSE(page.until("gallery").is_null());
    page.send(R"({"type":"play"})");
    EXPECT_EQ(path_of(page.until("error"), "message"), "nothing is open");
}

TEST_F(StudioServer, simulated_time_does_not_run_ahead_of_the_clock)
{
    Page page(port());
    // From before it is opened, as on a busy machine news may be late.
    const auto begin = std::chrono::steady_clock::now();
    page.send(open_jelly);
    (void)page.until("scene");
    (void)page.until("state", [](const Node& state) { return state.find("frame")->number() >= 12.0; });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_GT(seconds, 0.12); // frames of 10 ms
}

TEST_F(StudioServer, a_view_chooses_what_comes_along)
{
    Page page(port());
    page.send(R"({"type":"view","color":"strain","surface":false})");
    page.send(open_jelly);
    (void)page.until("scene");
    const DecodedFrame frame = *page.until_frame();
    EXPECT_FALSE(frame.bodies[0].surface);
    EXPECT_EQ(frame.color_hash, field_hash("strain"));
    EXPECT_FALSE(frame.bodies[0].color.empty());
}

TEST_F(StudioServer, fluids_have_surfaces_for_those_who_wish_them)
{
    Page page(port()), other(port());
    page.send(R"({"type":"view","color":"velocity","surface":true,"made_surface":true})");
    page.send_node(
        Node::object({{"type", "open"}, {"name", "drop"}, {"text", R"({ "count": 500, "duration": 100,
        "bodies": [ { "name": "drop", "type": "fluid",
                      "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.1 } } } ] })"}}));
    for (Page* one : {&page, &other})
        (void)one->until("state", [](const Node& s) { return s.find("frame")->number() >= 1.0; });
    const DecodedFrame frame = *page.until_frame();
    ASSERT_TRUE(frame.bodies[0].surface);
    EXPECT_GT(frame.bodies[0].surface->triangles->size(), 300u);
    EXPECT_EQ(frame.bodies[0].surface->color.size(), frame.bodies[0].surface->vertices.positions.size());
    EXPECT_FALSE(other.until_frame()->bodies[0].surface);
}

TEST_F(StudioServer, a_picked_particle_shows_its_fields_and_neighbours)
{
    Page page(port());
    page.send(open_jelly);
    (void)page.until("scene");
    const DecodedFrame frame = *page.until_frame();
    page.send(R"({"type":"pick","body":"block","id":)" + std::to_string(frame.bodies[0].ids.at(3)) + "}");
    const Node picked = page.until("picked");
    EXPECT_EQ(picked.find("position")->items().size(), 3u);
    EXPECT_EQ(picked.find("rest")->items().size(), 3u);
    EXPECT_GE(picked.find("neighbors")->items().size(), 3u);
    EXPECT_GT(picked.find("support")->number(), 0.0);
    EXPECT_NE(picked.find("fields")->find("stress"), nullptr);
    page.send(R"({"type":"pick","body":"block","id":99999})");
    EXPECT_FALSE(page.until("picked", [](const Node& p) { return p.find("gone") != nullptr; }).is_null());
}

TEST_F(StudioServer, texts_are_validated_with_places)
{
    Page page(port());
    page.send(R"({"type":"validate","id":7,"text":"{ \"bodies\": [],\n  \"spacin\": 1 }"})");
    const Node problems = page.until("problems");
    EXPECT_EQ(*problems.find("id"), Node(7));
    bool is_found = false;
    for (const Node& problem : problems.find("problems")->items())
        is_found = is_found || (*problem.find("line") == Node(2) && *problem.find("column") == Node(3));
    EXPECT_TRUE(is_found) << to_line(problems);
}

TEST_F(StudioServer, a_simulation_that_diverges_says_why_and_can_be_begun_again)
{
    Page page(port());
    page.send(R"({"type":"open","file":"puddle.json"})");
    const Node failed = page.until("failed");
    EXPECT_EQ(path_of(failed, "body"), "water");
    EXPECT_NE(path_of(failed, "cause").find("step"), std::string::npos);
    page.send(R"({"type":"play"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("has failed"), std::string::npos);
    Page other(port()); // who comes later hears of it too
    EXPECT_FALSE(other.until("failed").is_null());
    page.send(R"({"type":"restart"})");
    EXPECT_FALSE(page.until("scene").is_null());
    EXPECT_FALSE(page.until("failed").is_null());
}

TEST_F(StudioServer, what_is_no_number_any_more_is_a_failure_like_others)
{
    Page page(port());
    page.send_node(
        Node::object({{"type", "open"}, {"name", "drop"}, {"text", R"({ "count": 300, "duration": 100,
        "bodies": [ { "name": "drop", "type": "fluid",
                      "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.1 } } } ] })"}}));
    (void)page.until("scene");
    const DecodedFrame frame = *page.until_frame();
    page.send(R"({"type":"pick","body":"drop","id":)" + std::to_string(frame.bodies[0].ids.at(3)) + "}");
    (void)page.until("picked");
    page.send(R"x({"type":"set","path":"gravity","value":["= sqrt(-1-t)",0,0]})x");
    const Node failed = page.until("failed");
    EXPECT_EQ(path_of(failed, "body"), "drop");
    EXPECT_EQ(*failed.find("is_changed"), Node(true));
    // It stands, shows what was seen last, and can be looked at.
    EXPECT_FALSE(
        page.until("state", [](const Node& s) { return *s.find("playing") == Node(false); }).is_null());
    page.send(R"({"type":"view","color":"density","surface":false,"made_surface":true})");
    EXPECT_FALSE(page.until("picked").is_null());
    // What was wrong is put right, and counts when it is begun again.
    page.send(R"({"type":"set","path":"gravity","value":[0,0,-1]})");
    EXPECT_FALSE(page.until("value").is_null());
    page.send(R"({"type":"restart"})");
    EXPECT_FALSE(page.until("scene").is_null());
    EXPECT_FALSE(
        page.until("state", [](const Node& s) { return s.find("frame")->number() >= 1.0; }).is_null());
}

TEST_F(StudioServer, a_page_sees_at_once_what_another_one_saw_already)
{
    Page first(port()), second(port());
    first.send(R"({"type":"view","color":"velocity","surface":false})");
    second.send(R"({"type":"view","color":"body","surface":false})");
    first.send(open_jelly);
    (void)second.until("state", [](const Node& s) { return *s.find("playing") == Node(false); });
    EXPECT_EQ(second.until_frame()->color_hash, 0u);
    second.send(R"({"type":"view","color":"velocity","surface":false})");
    auto frame = second.until_frame();
    while (frame && frame->color_hash == 0u) frame = second.until_frame(); // one may be on its way
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->color_hash, field_hash("velocity"));
}

TEST_F(StudioServer, two_pages_see_the_same_and_one_may_come_back)
{
    Page first(port());
    first.send(open_jelly);
    (void)first.until("scene");
    {
        Page second(port());
        EXPECT_EQ(path_of(second.until("scene"), "name"), "jelly");
        EXPECT_FALSE(second.until_frame()->bodies[0].ids.empty());
        second.send(R"({"type":"set","path":"gravity","value":[0,0,-1]})");
        EXPECT_FALSE(first.until("value").is_null());
        second.send(
            R"({"type":"hand","name":"mine","kind":"pull","body":"block","at":[0.15,0.15,0.3],"radius":0.2,"to":[0.15,0.15,0.5]})");
        EXPECT_FALSE(
            first.until("state", [](const Node& s) { return !s.find("hands")->items().empty(); }).is_null());
    }
    // Whoever goes away lets go.
    first.send(R"({"type":"pause"})");
    EXPECT_FALSE(
        first.until("state", [](const Node& s) { return s.find("hands")->items().empty(); }).is_null());
    Page again(port());
    const Node scene = again.until("scene");
    const std::vector<Node>& parameters = scene.find("parameters")->items();
    EXPECT_EQ(std::count_if(parameters.begin(), parameters.end(),
                            [](const Node& parameter) {
                                return path_of(parameter, "path") == "gravity[2]" &&
                                       path_of(parameter, "kind") == "number" &&
                                       path_of(parameter, "unit") == "m/s^2" &&
                                       parameter.find("value")->number() == -1.0;
                            }),
              1);
    EXPECT_TRUE(again.until_frame());
}

TEST_F(StudioServer, the_server_may_be_started_again)
{
    const std::uint16_t before = port();
    {
        Page page(port());
        (void)page.until("gallery");
    }
    stop();
    start(before);
    Page page(before);
    EXPECT_FALSE(page.until("gallery").is_null());
}

TEST_F(StudioServer, rubbish_is_answered_and_does_no_harm)
{
    Page page(port());
    (void)page.until("gallery");
    for (const char* rubbish :
         {"", "x", "{", "[]", R"({"type":"nonsense"})", "\xff\xfe", R"({"type":"ack","frame":9})"}) {
        // A text that is not UTF-8 ends the connection, as it must.
        if (std::string(rubbish) == "\xff\xfe") continue;
        page.send(rubbish);
        EXPECT_FALSE(page.until("error").is_null()) << rubbish;
    }
    Page broken(port());
    broken.send("\xff\xfe");
    EXPECT_TRUE(broken.until("never").is_null());
    Page binary(port());
    binary.socket().send("123", 2);
    EXPECT_TRUE(binary.until("never").is_null());
    EXPECT_EQ(binary.closed, "binary messages mean nothing");
    Page large(port());
    large.send(std::string(max_message_size + 1, ' '));
    EXPECT_TRUE(large.until("never").is_null());
    for (const char* bytes : {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
                              "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde"}) {
        LocalConnection connection(port());
        connection.send(bytes);
        EXPECT_NE(read_answer(connection).status, 200) << bytes;
    }
    LocalConnection endless(port());
    endless.send("GET / HTTP/1.1\r\nX: " + std::string(100000, 'a'));
    EXPECT_NE(read_answer(endless).status, 200);
    page.send(open_jelly);
    EXPECT_FALSE(page.until("scene").is_null());
}

TEST_F(StudioServer, a_long_message_of_duplicate_keys_is_answered_at_once)
{
    std::string keys = R"({"type":"play")";
    while (keys.size() < 7'800'000) keys += R"(,"":0)";
    Page page(port());
    (void)page.until("gallery");
    const auto begin = std::clock();
    page.send(keys + "}");
    const std::string error = path_of(page.until("error"), "message");
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 3.0); // it took 9 s, and 660 MB
    EXPECT_NE(error.find("duplicate key"), std::string::npos);
    EXPECT_LT(error.size(), 20000u);
}

TEST_F(StudioServer, too_many_messages_end_the_connection)
{
    Page page(port());
    (void)page.until("gallery");
    for (int n = 0; n < 2 * max_messages_a_second; ++n) page.send(R"({"type":"ack","frame":0})");
    EXPECT_TRUE(page.until("never").is_null());
    EXPECT_EQ(page.closed, "more than 200 messages in a second");
}

TEST_F(StudioServer, acknowledgements_of_many_frames_are_not_too_many_messages)
{
    Page page(port());
    page.send_node(
        Node::object({{"type", "open"}, {"name", "still"}, {"text", R"({ "count": 8, "duration": 0.6,
        "frame_rate": 2000, "gravity": [0, 0, 0], "time_step": 0.0005, "bodies": [ { "name": "drop", "type": "fluid",
            "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.1 } } } ] })"}}));
    EXPECT_FALSE(
        page.until("state", [](const Node& s) { return *s.find("finished") == Node(true); }).is_null())
        << page.closed;
}

TEST_F(StudioServer, a_long_text_is_validated)
{
    Page page(port());
    page.send_node(Node::object(
        {{"type", "validate"}, {"id", 3}, {"text", jelly + "// " + std::string(3'000'000, 'x') + "\n"}}));
    const Node problems = page.until("problems");
    ASSERT_FALSE(problems.is_null()) << page.closed;
    EXPECT_TRUE(problems.find("problems")->items().empty()) << to_line(problems);
}

TEST_F(StudioServer, a_page_that_acknowledges_nothing_gets_two_frames_and_holds_up_nobody)
{
    Page mute(port());
    mute.acknowledges = false;
    Page page(port());
    page.send(open_jelly);
    (void)mute.until("scene");
    (void)page.until("state", [](const Node& s) { return *s.find("finished") == Node(true); });
    int frames = 0;
    while (const auto received = mute.socket().receive(0.3))
        if (received->kind == Kind::Binary) ++frames;
    EXPECT_EQ(frames, 2);
    // It may go on at any time, with what is new then.
    mute.acknowledges = true;
    mute.send(R"({"type":"ack","frame":2})");
    const DecodedFrame newest = *mute.until_frame();
    EXPECT_EQ(newest.frame, 20u);
}

/// A run of a few frames with a point that moves along x, and one that goes away.
void write_run(const fs::path& run)
{
    write(run / "manifest.json", R"({ "format": 1, "scene": )" + explosion + "}");
    write(run / "stats.csv",
          "frame,steps,kinetic_energy,potential_energy,internal_energy,density_error_mean\n"
          "0,0,1,2,3,0\n1,7,3,4,5,0.01\n2,3,1,1,");
    for (std::uint64_t frame = 0; frame < 5; ++frame) {
        Snapshot snapshot;
        snapshot.body = "water";
        snapshot.time = static_cast<double>(frame) / 30.0;
        const std::size_t count = frame < 3 ? 3 : 2;
        std::vector<std::uint64_t> ids;
        std::vector<Vec<3>> velocities(count, Vec<3>(1, 2, 2));
        for (std::size_t i = 0; i < count; ++i) {
            snapshot.points.emplace_back(static_cast<double>(frame),
                                         i == 0 ? 0.0 : 0.9 + 0.05 * static_cast<double>(i), 0.0);
            ids.push_back(10 + i);
        }
        snapshot.fields.push_back(scalar_field<std::uint64_t>("id", ids));
        snapshot.fields.push_back(vector_field<3, double>("velocity", velocities));
        fs::create_directories(run / "frames");
        write_snapshot(frame_path(run, "water", frame), snapshot);
    }
}

TEST_F(StudioServer, a_recorded_run_is_played_wound_and_not_touched)
{
    write_run(folder / "mine/runs/one");
    Page page(port());
    page.send(R"({"type":"open","run":"runs/one"})");
    const Node scene = page.until("scene");
    EXPECT_EQ(path_of(scene, "kind"), "recorded");
    EXPECT_EQ(*scene.find("last_frame"), Node(4));
    EXPECT_EQ(*scene.find("dimension"), Node(2));
    EXPECT_EQ(to_line(*scene.find("fields")), R"([{ "name": "velocity", "unit": "m/s" }])");
    (void)page.until("state", [](const Node& s) { return *s.find("finished") == Node(true); });
    page.send(R"({"type":"seek","frame":1})");
    const Node state = page.until("state", [](const Node& s) { return *s.find("frame") == Node(1); });
    EXPECT_EQ(*state.find("particles"), Node(3));
    const DecodedFrame frame = *page.until_frame();
    EXPECT_EQ(frame.frame, 1u);
    EXPECT_NEAR(frame.bodies[0].points.positions[0][0], 1.0, 1e-4);
    EXPECT_EQ(frame.bodies[0].ids, (std::vector<std::uint32_t>{10, 11, 12}));
    EXPECT_NEAR(frame.bodies[0].color[0], 3.0, 1e-4);
    page.send(R"({"type":"pick","body":"water","id":11})");
    const Node picked = page.until("picked");
    EXPECT_EQ(to_line(*picked.find("fields")), R"({ "velocity": [1, 2, 2] })");
    EXPECT_EQ(to_line(*picked.find("neighbors")), "[12]"); // the nearer one
    EXPECT_NEAR(picked.find("support")->number(), 2.6 * 0.5 / 14.0, 1e-9);
    EXPECT_EQ(to_line(*state.find("energies")),
              R"([{ "body": "all", "kinetic": 3, "potential": 4, "internal": 5 }])");
    EXPECT_EQ(*state.find("steps"), Node(7));
    page.send(R"({"type":"seek","frame":1000})");
    (void)page.until("state", [](const Node& s) { return *s.find("frame") == Node(4); });
    page.send(R"({"type":"set","path":"gravity","value":[0,0]})");
    EXPECT_NE(path_of(page.until("error"), "message").find("cannot be changed"), std::string::npos);
    page.send(R"({"type":"play"})"); // from the beginning
    EXPECT_FALSE(
        page.until("state", [](const Node& s) { return s.find("frame")->number() < 4.0; }).is_null());
}

TEST_F(StudioServer, a_frame_that_is_damaged_is_said_to_be)
{
    write_run(folder / "mine/runs/one");
    write(frame_path(folder / "mine/runs/one", "water", 3), "rubbish");
    Page page(port());
    page.send(R"({"type":"open","run":"runs/one"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("water_000003.ply"), std::string::npos);
    const Node state = page.until("state", [](const Node& s) { return *s.find("playing") == Node(false); });
    EXPECT_FALSE(state.is_null()); // it stands still, and shows that it does
    page.send(R"({"type":"seek","frame":2})");
    EXPECT_FALSE(page.until("state", [](const Node& s) { return *s.find("frame") == Node(2); }).is_null());
}

TEST_F(StudioServer, an_example_that_would_crawl_begins_with_fewer_particles_and_says_so)
{
    Page page(port());
    page.send(R"({"type":"open","example":"crawl"})");
    const Node scene = page.until("scene");
    ASSERT_EQ(scene.find("warnings")->items().size(), 1u);
    EXPECT_NE(scene.find("warnings")->items()[0].text().find("particles instead of 1000"), std::string::npos)
        << scene.find("warnings")->items()[0].text();
    const std::size_t count = page.until_frame()->bodies.at(0).points.positions.size();
    EXPECT_GT(count, 250u);
    EXPECT_LT(count, 800u);

    // Who says how many there are to be gets them.
    page.send(R"({"type":"open","example":"crawl","set":["count=1000"]})");
    EXPECT_TRUE(page.until("scene").find("warnings")->items().empty());
    EXPECT_EQ(page.until_frame()->bodies.at(0).points.positions.size(), 1000u);
}

TEST_F(StudioServer, what_a_killed_studio_left_half_written_is_gone_at_the_next_start)
{
    stop();
    // Process 1 runs, but nobody writes this file; the other one is written by a program that lives.
    write(folder / "mine/.phyxel-1-0.partial", "half a checkpoint");
    const std::string writing = folder / "mine/.phyxel-1-1.partial";
    write(writing, "nearly half a checkpoint");
    write(folder / "mine/notes.partial", "of the user");
    const int descriptor = ::open(writing.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(::flock(descriptor, LOCK_EX | LOCK_NB), 0);
    start();
    EXPECT_FALSE(fs::exists(folder / "mine/.phyxel-1-0.partial"));
    EXPECT_TRUE(fs::exists(writing));
    EXPECT_TRUE(fs::exists(folder / "mine/notes.partial"));
    ::close(descriptor);
}

/// Takes many seconds to be filled and to get its skin, unless somebody stops it.
const std::string large_scene = R"({ "count": 1000000, "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "ball", "type": "solid", "material": "jelly",
                  "shape": { "sphere": { "center": [0, 0, 0.5], "radius": 0.3 } } } ] })";

TEST_F(StudioServer, while_a_scene_is_opened_others_are_served)
{
    Page page(port());
    (void)page.until("gallery");
    page.send_node(Node::object({{"type", "open"}, {"name", "large"}, {"text", large_scene}}));
    Page other(port());
    const Node gallery = other.until("gallery");
    ASSERT_FALSE(gallery.is_null());
    EXPECT_EQ(other.others, std::vector<std::string>{"hello"});
    ASSERT_NE(gallery.find("opening"), nullptr);
    EXPECT_EQ(path_of(gallery, "opening"), "large");
    // What is asked for since counts more.
    other.send(open_jelly);
    EXPECT_EQ(
        path_of(other.until("scene", [](const Node& s) { return path_of(s, "name") == "jelly"; }), "name"),
        "jelly");
}

TEST_F(StudioServer, the_end_is_not_held_up_by_a_scene_that_is_being_opened)
{
    Page page(port());
    (void)page.until("gallery");
    page.send_node(Node::object({{"type", "open"}, {"name", "large"}, {"text", large_scene}}));
    Page other(port());
    ASSERT_NE(other.until("gallery").find("opening"), nullptr);
    is_ending = true;
    thread.join();
    EXPECT_FALSE(server->end(std::chrono::milliseconds(0)));
    EXPECT_TRUE(server->end(std::chrono::seconds(60)));
}

TEST(StudioAddress, what_cannot_be_listened_on_is_one_line)
{
    EXPECT_THROW(Server({.address = "localhost"}), InputError);
    EXPECT_THROW(Server({.address = "999.1.1.1"}), InputError);
    Server first({.token = "t"});
    EXPECT_EQ(first.urls(),
              std::vector<std::string>{"http://127.0.0.1:" + std::to_string(first.port()) + "/?token=t"});
    EXPECT_THROW(Server({.address = "192.0.2.1"}), InputError); // of nobody
}

} // namespace
} // namespace phyxel::studio::server_test
