// SPDX-License-Identifier: MIT
// The whole server over real connections: who is let in, what is shown, what is touched and saved, and what
// it takes without falling over.
#include "studio/decoded_frame.h"
#include "studio/server/frame_encoder.h"
#include "studio/server/server.h"
#include "support/temporary_folder.h"
#include "support/websocket_client.h"

#include <phyxel/core/error.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/io/frames.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;
using Kind = WebSocketClient::Received::Kind;

const std::string token = "the-token-of-the-tests";

/// A block of jelly that falls a little.
const std::string jelly = R"(// A block of jelly.
{
    "count": 60, "duration": "0.2 s", "frame_rate": 100,
    "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "block", "type": "solid", "material": "jelly",
                  "shape": { "box": { "min": [0, 0, 0.1], "max": [0.3, 0.3, 0.4] } } } ]
}
)";

/// A puddle in the plane whose steps are far too long.
const std::string explosion = R"({
    "dimension": 2, "count": 200, "time_step": "50 ms",
    "domain": { "min": [0, 0], "max": [1, 1] },
    "bodies": [ { "name": "water", "type": "fluid", "solver": { "type": "wcsph" },
                  "shape": { "box": { "min": [0, 0], "max": [0.5, 0.5] } } } ]
})";

/// A block so stiff that its steps are tiny.
const std::string crawl = R"(// A stiff block.
{
    "count": 1000, "duration": "1 s", "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "block", "type": "solid",
                  "material": { "density": 1000, "youngs_modulus": "2 GPa", "poisson_ratio": 0.3 },
                  "shape": { "box": { "min": [0, 0, 0.1], "max": [0.3, 0.3, 0.4] } }, "skin": { "detail": 0 } } ]
}
)";

void write(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

/// A page that takes frames in as they come.
class Page {
public:
    explicit Page(std::uint16_t port) : socket_(port, "/ws?token=" + token) {}

    int status() const { return socket_.status(); }
    void send(const std::string& text) { socket_.send(text); }

    /// Goes on until a message of this type that fits has come; null if none does in time.
    Node until(const std::string& type, const std::function<bool(const Node&)>& fits = {})
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < end) {
            const Node message = next();
            if (message.is_null()) return {};
            const std::string& kind = message.find("type")->text();
            if (kind != type) {
                others.push_back(kind);
                continue;
            }
            if (!fits || fits(message)) return message;
        }
        return {};
    }

    /// The next frame.
    std::optional<DecodedFrame> until_frame()
    {
        frame.reset();
        while (!frame) {
            const auto received = socket_.receive();
            if (!received) return std::nullopt;
            take(*received);
        }
        return frame;
    }

    WebSocketClient& socket() { return socket_; }

    std::optional<DecodedFrame> frame; ///< the last one
    bool acknowledges = true;
    std::vector<std::string> others; ///< types of messages that nobody waited for
    std::string closed;              ///< why

private:
    Node next()
    {
        while (true) {
            const auto received = socket_.receive();
            if (!received) return {};
            const Node message = take(*received);
            if (received->kind == Kind::Close) return {};
            if (!message.is_null()) return message;
        }
    }

    Node take(const WebSocketClient::Received& received)
    {
        if (received.kind == Kind::Close) closed = received.bytes;
        if (received.kind == Kind::Text) return parse_document(received.bytes, "server");
        if (received.kind == Kind::Binary) {
            frame = decode_frame(std::as_bytes(std::span(received.bytes)));
            if (acknowledges) send(R"({"type":"ack","frame":)" + std::to_string(frame->serial) + "}");
        }
        return {};
    }

    WebSocketClient socket_;
};

class StudioServer : public testing::Test {
protected:
    StudioServer()
    {
        write(folder / "bundle/index.html", "<p>page</p>");
        write(folder / "bundle/assets/app.js", "code");
        write(folder / "bundle/thumbnails/jelly.jpg", "picture");
        write(folder / "examples/jelly.json", jelly);
        write(folder / "examples/crawl.json", crawl);
        write(folder / "mine/puddle.json", explosion);
        write(folder / "secret.json", jelly);
        start();
    }
    ~StudioServer() override { stop(); }

    void start(std::uint16_t port = 0)
    {
        ServerOptions options;
        options.token = token;
        options.port = port;
        options.version = "9.9.9";
        options.bundle = folder / "bundle";
        options.examples = {{"jelly", folder / "examples/jelly.json", "A block of jelly."},
                            {"crawl", folder / "examples/crawl.json", "A stiff block."}};
        options.folder = folder / "mine";
        options.save_folder = folder / "mine";
        options.roots = {folder / "examples", folder / "mine"};
        server.emplace(std::move(options));
        is_ending = false;
        thread = std::thread([this] { server->run([this] { return is_ending.load(); }); });
    }

    void stop()
    {
        is_ending = true;
        if (thread.joinable()) thread.join();
        server.reset();
    }

    std::uint16_t port() const { return server->port(); }

    TemporaryFolder folder;
    std::optional<Server> server;
    std::atomic<bool> is_ending = false;
    std::thread thread;
};

const std::string open_jelly = R"({"type":"open","example":"jelly"})";

std::string path_of(const Node& message, const char* key) { return message.find(key)->text(); }

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

    const std::string cookie = "phyxel_" + std::to_string(port()) + "=" + token;
    EXPECT_NE(http_get(port(), "/?token=" + token)
                  .head.find("Set-Cookie: " + cookie + "; HttpOnly; SameSite=Strict"),
              std::string::npos);
    const HttpAnswer gallery = http_get(port(), "/api/gallery", "Cookie: " + cookie + "\r\n");
    EXPECT_EQ(gallery.status, 200);
    const Node node = parse_document(gallery.body, "gallery");
    EXPECT_EQ(path_of(node.find("examples")->items().at(0), "name"), "jelly");
    EXPECT_EQ(path_of(node.find("folder")->items().at(0), "path"), "puddle.json");
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
    EXPECT_EQ(*hello.find("protocol"), Node(1));
    EXPECT_FALSE(page.until("gallery").is_null());

    page.send(R"({"type":"open","example":"jelly","set":["count=30"]})");
    const Node scene = page.until("scene");
    EXPECT_EQ(path_of(scene, "name"), "jelly");
    EXPECT_EQ(path_of(scene, "kind"), "live");
    EXPECT_EQ(path_of(scene, "text"), jelly);
    EXPECT_EQ(*scene.find("last_frame"), Node(20));
    EXPECT_EQ(path_of(scene.find("bodies")->items().at(0), "type"), "solid");
    EXPECT_EQ(to_line(*scene.find("fields")),
              R"([{ "name": "velocity", "unit": "m/s" }, { "name": "strain", "unit": "" }, )"
              R"({ "name": "stress", "unit": "Pa" }, { "name": "energy", "unit": "" }])");
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
    page.send(open_jelly);
    (void)page.until("scene");
    (void)page.until("state", [](const Node& state) { return state.find("frame")->number() >= 2.0; });
    const auto begin = std::chrono::steady_clock::now();
    const Node at =
        page.until("state", [](const Node& state) { return state.find("frame")->number() >= 12.0; });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    // Ten frames of 10 ms; the first may have come a little late.
    EXPECT_GT(seconds, 0.08);
    EXPECT_LT(at.find("speed")->number(), 1.3);
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

/// The hash of the state of a scene after so many frames.
std::uint64_t hash_after(const fs::path& file, std::uint64_t frames)
{
    BuiltScene built = build_scene(Scene::read(file));
    return std::visit(
        [&](auto& world) {
            while (world->frame() < frames && world->advance_frame()) {}
            return world->state_hash();
        },
        built.world);
}

/// The hash of a saved checkpoint, loaded into the world of a scene.
std::uint64_t hash_of(const fs::path& checkpoint, const fs::path& scene)
{
    BuiltScene built = build_scene(Scene::read(scene));
    return std::visit(
        [&](auto& world) {
            world->load(CheckpointReader(checkpoint));
            return world->state_hash();
        },
        built.world);
}

TEST_F(StudioServer, what_was_done_is_saved_as_a_scene_that_runs_to_the_same_bits)
{
    Page page(port());
    page.send(open_jelly);
    (void)page.until("scene");
    (void)page.until("state", [](const Node& state) { return state.find("frame")->number() >= 3.0; });
    page.send(R"({"type":"set","path":"bodies.block.material.youngs_modulus","value":"30 kPa"})");
    const Node value = page.until("value");
    EXPECT_EQ(path_of(value, "path"), "bodies.block.material.youngs_modulus");
    for (const char* x : {"0.2", "0.25", "0.3"}) {
        page.send(R"({"type":"hand","name":"grab","kind":"pull","body":"block","id":7,"radius":0.15,"to":[)" +
                  std::string(x) + R"(,0.15,0.5]})");
        const Node state =
            page.until("state", [](const Node& s) { return !s.find("hands")->items().empty(); });
        EXPECT_EQ(path_of(state.find("hands")->items().at(0), "name"), "grab");
    }
    page.send(R"({"type":"release","name":"grab"})");
    page.send(R"({"type":"set","path":"gravity","value":[1,0,-5]})");
    (void)page.until("value");
    const Node later = page.until("state", [](const Node& s) { return s.find("hands")->items().empty(); });
    (void)page.until("state", [&](const Node& s) {
        return s.find("frame")->number() >= later.find("frame")->number() + 2.0;
    });
    page.send(R"({"type":"pause"})");
    const Node state = page.until("state", [](const Node& s) { return *s.find("playing") == Node(false); });
    const auto frame = static_cast<std::uint64_t>(state.find("frame")->number());
    page.send(R"({"type":"save","what":"scene","name":"sitting"})");
    const Node saved = page.until("saved");
    EXPECT_EQ(path_of(saved, "path"), (folder / "mine/sitting.json").string());
    page.send(R"({"type":"save","what":"checkpoint","name":"sitting"})");
    const fs::path checkpoint = path_of(page.until("saved"), "path");

    const std::uint64_t live = hash_of(checkpoint, folder / "mine/sitting.json");
    EXPECT_EQ(path_of(state, "hash"), hash_text(live));
    EXPECT_EQ(hash_after(folder / "mine/sitting.json", frame), live);
    // Without what was done it would be another state.
    EXPECT_NE(hash_after(folder / "examples/jelly.json", frame), live);

    page.send(R"({"type":"save","what":"scene","name":"sitting"})");
    EXPECT_NE(path_of(page.until("error"), "message").find("is there already"), std::string::npos);
    page.send(R"({"type":"save","what":"scene","name":"other","write":false})");
    const Node told = page.until("saved");
    EXPECT_EQ(path_of(told, "text"), path_of(saved, "text"));
    EXPECT_EQ(path_of(told, "path"), "");
    EXPECT_FALSE(fs::exists(folder / "mine/other.json"));
    for (const char* name : {"", "../x", "a/b", ".x", "a\\\\b"}) {
        page.send(R"({"type":"save","what":"scene","name":")" + std::string(name) + "\"}");
        EXPECT_NE(path_of(page.until("error"), "message").find("cannot be the name"), std::string::npos)
            << name;
    }
}

TEST_F(StudioServer, what_cannot_be_done_changes_nothing)
{
    Page page(port());
    page.send(open_jelly);
    (void)page.until("scene");
    for (
        const char* message :
        {R"({"type":"set","path":"bodies.block.material.youngs_modulus","value":-1})",
         R"({"type":"set","path":"bodies.block.shape","value":{}})",
         R"({"type":"set","path":"a..b","value":1})", R"({"type":"set","path":"hands","value":[]})",
         R"({"type":"release","name":"nobody"})",
         R"({"type":"hand","name":"g","kind":"pull","body":"nobody","at":[0,0,0],"radius":0.1,"to":[0,0,0]})",
         R"({"type":"hand","name":"g","kind":"push","at":[0,0],"radius":0.1,"to":[0,0]})",
         R"({"type":"hand","name":"g","kind":"pull","body":"block","id":4000000,"radius":0.1,"to":[0,0,0]})",
         R"({"type":"hand","name":"g","kind":"pull","body":"nobody","id":1,"radius":0.1,"to":[0,0,0]})",
         R"({"type":"hand","name":"g","kind":"pull","body":"block","id":1,"radius":0.1,"to":[0,0]})",
         R"({"type":"seek","frame":3})", R"({"type":"open","example":"none"})",
         R"({"type":"open","text":"{"})", R"({"type":"open","text":"{}","name":"empty"})"}) {
        page.send(message);
        EXPECT_FALSE(page.until("error").is_null()) << message;
    }
    page.send(R"({"type":"pause"})");
    const Node state = page.until("state", [](const Node& s) { return *s.find("playing") == Node(false); });
    EXPECT_TRUE(state.find("hands")->items().empty());
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
    EXPECT_NE(
        to_line(*again.until("scene").find("parameters")).find(R"("path": "gravity[2]", "unit": "m/s^2")"),
        std::string::npos);
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

TEST_F(StudioServer, too_many_messages_end_the_connection)
{
    Page page(port());
    (void)page.until("gallery");
    for (int n = 0; n < 2 * max_messages_a_second; ++n) page.send(R"({"type":"ack","frame":0})");
    EXPECT_TRUE(page.until("never").is_null());
    EXPECT_EQ(page.closed, "more than 200 messages in a second");
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
    for (std::uint64_t frame = 0; frame < 5; ++frame) {
        Snapshot snapshot;
        snapshot.body = "water";
        snapshot.time = static_cast<double>(frame) / 30.0;
        const std::size_t count = frame < 3 ? 3 : 2;
        std::vector<std::uint64_t> ids;
        std::vector<Vec<3>> velocities(count, Vec<3>(1, 2, 2));
        for (std::size_t i = 0; i < count; ++i) {
            snapshot.points.emplace_back(static_cast<double>(frame), static_cast<double>(i), 0.0);
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
    EXPECT_EQ(to_line(*page.until("picked").find("fields")), R"({ "velocity": [1, 2, 2] })");
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

TEST(StudioAddress, what_cannot_be_listened_on_is_one_line)
{
    EXPECT_THROW(Server({.address = "localhost"}), InputError);
    EXPECT_THROW(Server({.address = "999.1.1.1"}), InputError);
    Server first({.token = "t"});
    EXPECT_EQ(first.url(), "http://127.0.0.1:" + std::to_string(first.port()) + "/?token=t");
    EXPECT_THROW(Server({.address = "192.0.2.1"}), InputError); // of nobody
}

} // namespace
} // namespace phyxel::studio
