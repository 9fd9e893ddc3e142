// SPDX-License-Identifier: MIT
// A server with a few scenes, and a page that talks to it over a real connection.
#pragma once

#include "studio/decoded_frame.h"
#include "studio/server/server.h"
#include "support/temporary_folder.h"
#include "support/websocket_client.h"

#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace phyxel::studio {

namespace fs = std::filesystem;
using Kind = WebSocketClient::Received::Kind;

inline const std::string token = "the-token-of-the-tests";

/// A block of jelly that falls a little.
inline const std::string jelly = R"(// A block of jelly.
{
    "count": 60, "duration": "0.2 s", "frame_rate": 100,
    "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "block", "type": "solid", "material": "jelly",
                  "shape": { "box": { "min": [0, 0, 0.1], "max": [0.3, 0.3, 0.4] } } } ]
}
)";

/// A puddle in the plane whose steps are far too long.
inline const std::string explosion = R"({
    "dimension": 2, "count": 200, "time_step": "50 ms",
    "domain": { "min": [0, 0], "max": [1, 1] },
    "bodies": [ { "name": "water", "type": "fluid", "solver": { "type": "wcsph" },
                  "shape": { "box": { "min": [0, 0], "max": [0.5, 0.5] } } } ]
})";

/// A block so stiff that its steps are tiny.
inline const std::string crawl = R"(// A stiff block.
{
    "count": 1000, "duration": "1 s", "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "block", "type": "solid",
                  "material": { "density": 1000, "youngs_modulus": "2 GPa", "poisson_ratio": 0.3 },
                  "shape": { "box": { "min": [0, 0, 0.1], "max": [0.3, 0.3, 0.4] } }, "skin": { "detail": 0 } } ]
}
)";

inline void write(const fs::path& path, const std::string& text)
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
    void send_node(const Node& message) { socket_.send(to_line(message)); }

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

    void start(std::uint16_t port = 0, std::optional<OpenRequest> first = std::nullopt)
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
        options.first = std::move(first);
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

inline const std::string open_jelly = R"({"type":"open","example":"jelly"})";

inline std::string path_of(const Node& message, const char* key) { return message.find(key)->text(); }

} // namespace phyxel::studio
