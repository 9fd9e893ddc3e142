// SPDX-License-Identifier: MIT
// What the stream of the studio costs and how steady it is: the server in a process of its own, and a client
// that takes frames in without drawing them.
//
//     phyxel_studio_bench [recorded] [sizes] [live] [latency] [mute]        all if none is named
//
// recorded  100,000 particles that all move, 30 frames a second for 20 s: gaps between frames, bytes a frame
// sizes     the same with 25,000 and 400,000 particles for 5 s
// live      a fluid slower than real time: how much a client slows it down
// latency   from what the user does to the first frame that shows it
// mute      memory of the server while a client reads nothing for 60 s
#include "studio/server/server.h"
#include "support/temporary_folder.h"
#include "support/websocket_client.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>
#include <phyxel/io/frames.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace phyxel {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// How large a recorded run is, and how long.
struct RunSize {
    std::size_t particles;
    std::uint64_t frames; ///< at 30 a second
};
constexpr RunSize usual_run{100'000, 601}; // 20 s
constexpr RunSize other_runs[] = {{25'000, 151}, {400'000, 151}};
constexpr std::uint64_t distinct_frames = 60;

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The value that a share of all is not above.
double percentile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0
                          : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

/// A run in which every particle moves in every frame. The motion repeats, so that it needs little room on
/// the disk.
void write_run(const fs::path& run, const RunSize& size)
{
    Rng random(1);
    std::vector<Vec<3>> places(size.particles);
    for (Vec<3>& x : places) x = Vec<3>(random.uniform(), random.uniform(), random.uniform());
    std::vector<std::uint64_t> ids(size.particles);
    for (std::size_t i = 0; i < size.particles; ++i) ids[i] = i;
    fs::create_directories(run / "frames");
    std::ofstream(run / "manifest.json") << R"({ "scene": { "count": 100, "duration": 20, "frame_rate": 30,
        "domain": { "min": [0, 0, 0], "max": [2, 2, 2] },
        "bodies": [ { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [1, 1, 1] } } } ] } })";
    for (std::uint64_t frame = 0; frame < size.frames; ++frame) {
        const fs::path path = frame_path(run, "water", frame);
        if (frame >= distinct_frames) {
            fs::create_hard_link(frame_path(run, "water", frame % distinct_frames), path);
            continue;
        }
        const double angle = 2.0 * 3.14159265358979 * static_cast<double>(frame) / distinct_frames;
        Snapshot snapshot;
        snapshot.body = "water";
        snapshot.time = static_cast<double>(frame) / 30.0;
        std::vector<Vec<3>> velocities(size.particles);
        for (std::size_t i = 0; i < size.particles; ++i) {
            velocities[i] = Vec<3>(std::cos(angle + 9.0 * places[i][1]), std::sin(angle), places[i][2]);
            snapshot.points.push_back(places[i] + 0.3 * velocities[i]);
        }
        snapshot.fields.push_back(scalar_field<std::uint64_t>("id", ids));
        snapshot.fields.push_back(vector_field<3, double>("velocity", velocities));
        write_snapshot(path, snapshot);
    }
}

/// 20,000 particles of water that fall; slower than real time.
const std::string falling_water =
    R"({ "count": 20000, "duration": 100, "domain": { "min": [0, 0, 0], "max": [1.2, 0.5, 1] },
    "bodies": [ { "name": "water", "type": "fluid", "shape": { "box": { "min": [0, 0, 0], "max": [0.4, 0.5, 0.6] } } } ] })";

/// A block of jelly that is faster than real time.
const std::string jelly =
    R"({ "count": 300, "duration": 1000, "domain": { "min": [-1, -1, 0], "max": [1, 1, 2] },
    "bodies": [ { "name": "block", "type": "solid", "material": "jelly", "shape": { "box": { "min": [0, 0, 0], "max": [0.3, 0.3, 0.3] } } } ] })";

/// The server, alone in a process of its own.
class ServerProcess {
public:
    explicit ServerProcess(const fs::path& folder)
    {
        int channel[2];
        if (::pipe(channel) != 0) throw InputError("no pipe");
        process_ = ::fork();
        if (process_ == 0) {
            studio::ServerOptions options;
            options.token = "bench";
            options.folder = folder;
            options.roots = {folder};
            options.save_folder = folder;
            studio::Server server(std::move(options));
            const std::uint16_t port = server.port();
            if (::write(channel[1], &port, sizeof port) != sizeof port) ::_exit(1);
            server.run([parent = ::getppid()] { return ::getppid() != parent; });
            ::_exit(0);
        }
        if (::read(channel[0], &port_, sizeof port_) != sizeof port_) throw InputError("no server");
        ::close(channel[0]);
        ::close(channel[1]);
    }
    ~ServerProcess()
    {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    std::uint16_t port() const { return port_; }

    /// Memory that it has now [bytes].
    double memory() const
    {
        std::ifstream status("/proc/" + std::to_string(process_) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("VmRSS:")) return 1024.0 * std::stod(line.substr(6));
        return 0.0;
    }

private:
    pid_t process_ = 0;
    std::uint16_t port_ = 0;
};

/// Takes frames in and throws them away.
class Viewer {
public:
    explicit Viewer(std::uint16_t port) : socket_(port, "/ws?token=bench") {}

    void send(const std::string& text) { socket_.send(text); }

    /// Until `visit(text or frame)` says so. False if the server is silent or says that something is wrong.
    bool watch(const std::function<bool(const WebSocketClient::Received&)>& visit)
    {
        while (const auto received = socket_.receive(10.0)) {
            using Kind = WebSocketClient::Received::Kind;
            if (received->kind == Kind::Close) return false;
            if (received->kind == Kind::Text &&
                received->bytes.find("\"type\": \"error\"") != std::string::npos) {
                std::printf("%s\n", received->bytes.c_str());
                return false;
            }
            if (received->kind == Kind::Binary) {
                std::uint32_t serial = 0;
                std::memcpy(&serial, received->bytes.data() + 4, sizeof serial);
                send("{\"type\":\"ack\",\"frame\":" + std::to_string(serial) + "}");
            }
            if (visit(*received)) return true;
        }
        return false;
    }

    /// Until a message of this type, which is returned.
    Node until(const std::string& type)
    {
        Node message;
        const bool is_found = watch([&](const WebSocketClient::Received& received) {
            if (received.kind != WebSocketClient::Received::Kind::Text) return false;
            message = parse_document(received.bytes, "server");
            return message.find("type")->text() == type;
        });
        return is_found ? message : Node();
    }

    WebSocketClient& socket() { return socket_; }

private:
    WebSocketClient socket_;
};

std::uint32_t frame_number(const WebSocketClient::Received& received)
{
    std::uint32_t number = 0;
    std::memcpy(&number, received.bytes.data() + 12, sizeof number);
    return number;
}

bool is_frame(const WebSocketClient::Received& received)
{
    return received.kind == WebSocketClient::Received::Kind::Binary;
}

void measure_recorded(const fs::path& folder, const std::string& run, const RunSize& size)
{
    const ServerProcess server(folder);
    Viewer viewer(server.port());
    viewer.send(R"({"type":"open","run":")" + run + "\"}");
    std::vector<double> gaps, bytes;
    std::set<std::uint32_t> numbers;
    Clock::time_point last = Clock::now(), begin = last;
    (void)viewer.watch([&](const WebSocketClient::Received& received) {
        if (!is_frame(received)) return false;
        const Clock::time_point now = Clock::now();
        // A frame may come twice, as when playing stops.
        if (!numbers.insert(frame_number(received)).second) return frame_number(received) + 1 == size.frames;
        if (numbers.size() == 1)
            begin = now;
        else {
            gaps.push_back(1e3 * std::chrono::duration<double>(now - last).count());
            bytes.push_back(static_cast<double>(received.bytes.size()));
        }
        last = now;
        return frame_number(received) + 1 == size.frames;
    });
    const double seconds = std::chrono::duration<double>(last - begin).count();
    std::printf(
        "recorded: %zu particles, %zu of %llu frames in %.2f s; gaps median %.1f ms, 99 %% %.1f ms, largest "
        "%.1f ms; %.0f bytes a frame (%.2f a particle)\n",
        size.particles, numbers.size(), static_cast<unsigned long long>(size.frames), seconds,
        percentile(gaps, 0.5), percentile(gaps, 0.99), percentile(gaps, 1.0), percentile(bytes, 0.5),
        percentile(bytes, 0.5) / static_cast<double>(size.particles));
}

constexpr std::uint64_t first_live_frame = 5, last_live_frame = 20;

/// Seconds for the frames in between, by a world that nobody looks at.
double run_alone_here()
{
    BuiltScene built = build_scene(Scene::parse(falling_water, "water", ".", standard_kinds()));
    auto& world = *std::get<std::unique_ptr<World<3>>>(built.world);
    while (world.frame() < first_live_frame && world.advance_frame()) {}
    const Clock::time_point begin = Clock::now();
    while (world.frame() < last_live_frame && world.advance_frame()) {}
    return seconds_since(begin);
}

/// In a process of its own: one that has had threads cannot be forked for a server.
double alone()
{
    int channel[2];
    if (::pipe(channel) != 0) throw InputError("no pipe");
    const pid_t process = ::fork();
    if (process == 0) {
        const double seconds = run_alone_here();
        ::_exit(::write(channel[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
    }
    double seconds = 0.0;
    if (::read(channel[0], &seconds, sizeof seconds) != sizeof seconds) throw InputError("no result");
    ::waitpid(process, nullptr, 0);
    ::close(channel[0]);
    ::close(channel[1]);
    return seconds;
}

/// The same in the studio, with somebody who sees every frame.
double watched(const fs::path& folder, std::size_t& frames)
{
    const ServerProcess server(folder);
    Viewer viewer(server.port());
    viewer.send(R"({"type":"open","file":"water.json"})");
    Clock::time_point begin;
    std::uint32_t seen = 0;
    frames = 0;
    (void)viewer.watch([&](const WebSocketClient::Received& received) {
        if (!is_frame(received)) return false;
        const std::uint32_t number = frame_number(received);
        if (seen < first_live_frame && number >= first_live_frame) begin = Clock::now();
        seen = std::max(seen, number);
        if (number > first_live_frame) ++frames;
        return number >= last_live_frame;
    });
    return seconds_since(begin);
}

void measure_live(const fs::path& folder)
{
    std::vector<double> without, with;
    std::size_t frames = 0;
    // In turns, so that both see the same other load.
    for (int n = 0; n < 3; ++n) {
        without.push_back(alone());
        with.push_back(watched(folder, frames));
    }
    const double a = percentile(without, 0.0), b = percentile(with, 0.0);
    std::printf("live: 20,000 particles, frames %llu to %llu, shortest of 3: alone %.3f s, watched %.3f s "
                "(%zu frames "
                "seen), %+.1f %%; medians %.3f and %.3f s\n",
                static_cast<unsigned long long>(first_live_frame),
                static_cast<unsigned long long>(last_live_frame), a, b, frames, 100.0 * (b / a - 1.0),
                percentile(without, 0.5), percentile(with, 0.5));
}

void measure_latency(const fs::path& folder, const std::string& file, const std::string& body,
                     const std::string& at)
{
    const ServerProcess server(folder);
    Viewer viewer(server.port());
    viewer.send(R"({"type":"open","file":")" + file + "\"}");
    if (viewer.until("scene").is_null()) return;
    Rng random(1);
    std::vector<double> delays, excesses, gaps;
    Clock::time_point last = Clock::now();
    for (int n = 0; n < 100; ++n) {
        const auto rest = std::chrono::milliseconds(20 + static_cast<int>(80.0 * random.uniform()));
        const Clock::time_point pause = Clock::now() + rest;
        double longest = 0.0; // of the frames that came in the meantime
        const auto note = [&](const WebSocketClient::Received& received) {
            if (!is_frame(received)) return;
            gaps.push_back(1e3 * seconds_since(last));
            longest = std::max(longest, gaps.back());
            last = Clock::now();
        };
        (void)viewer.watch([&](const WebSocketClient::Received& received) {
            note(received);
            return Clock::now() >= pause;
        });
        longest = 0.0;
        const double before = static_cast<double>(n) / 1000.0;
        const Clock::time_point begin = Clock::now();
        viewer.send(R"({"type":"hand","name":"h",)" + body + R"("at":)" + at + R"(,"radius":0.1,"to":[)" +
                    number_text(static_cast<double>(n + 1) / 1000.0) + ",0.1,0.2]}");
        // It is shown once the hand is beyond where it was wanted before.
        bool is_told = false;
        const bool is_shown = viewer.watch([&](const WebSocketClient::Received& received) {
            note(received);
            if (is_frame(received)) return is_told;
            const Node message = parse_document(received.bytes, "server");
            if (const Node* hands = message.find("hands"); hands != nullptr && !hands->items().empty())
                is_told =
                    is_told || hands->items().front().find("position")->items().front().number() > before;
            return false;
        });
        if (!is_shown) return;
        delays.push_back(1e3 * seconds_since(begin));
        excesses.push_back(delays.back() - longest);
    }
    std::printf("latency, %s: median %.0f ms, 99 %% %.0f ms, largest %.0f ms; a frame every %.0f ms (99 %% "
                "%.0f ms); beyond the longest frame meanwhile: median %.0f ms, largest %.0f ms\n",
                file.c_str(), percentile(delays, 0.5), percentile(delays, 0.99), percentile(delays, 1.0),
                percentile(gaps, 0.5), percentile(gaps, 0.99), percentile(excesses, 0.5),
                percentile(excesses, 1.0));
}

void measure_mute(const fs::path& folder)
{
    constexpr double duration = 60.0;
    const ServerProcess server(folder);
    Viewer viewer(server.port());
    viewer.send(R"({"type":"open","run":"run"})");
    double frame_bytes = 0.0;
    const auto watch_for = [&](double seconds) {
        const Clock::time_point begin = Clock::now();
        (void)viewer.watch([&](const WebSocketClient::Received& received) {
            if (is_frame(received)) frame_bytes = static_cast<double>(received.bytes.size());
            // Goes on and on.
            if (received.bytes.find("\"finished\": true") != std::string::npos)
                viewer.send(R"({"type":"play"})");
            return seconds_since(begin) > seconds;
        });
    };
    // The frames of the client that does read come and go: the most that is seen, before and after.
    const auto most_memory = [&](double seconds) {
        double most = 0.0;
        for (int n = 0; n < 24; ++n) {
            watch_for(seconds / 24);
            most = std::max(most, server.memory());
        }
        return most;
    };
    watch_for(10.0);
    const double before = most_memory(20.0);
    WebSocketClient mute(server.port(), "/ws?token=bench");
    const double most = most_memory(duration);
    std::printf(
        "mute: the server has at most %.1f MB, with a client that reads nothing for %.0f s at most %.1f MB: "
        "%+.2f MB, "
        "%.2f frames of %.2f MB\n",
        before / 1e6, duration, most / 1e6, (most - before) / 1e6, (most - before) / frame_bytes,
        frame_bytes / 1e6);
}

int measure(const std::set<std::string>& wanted)
{
    const auto is_wanted = [&](const char* name) { return wanted.empty() || wanted.contains(name); };
    const TemporaryFolder folder;
    std::ofstream(folder / "water.json") << falling_water;
    std::ofstream(folder / "jelly.json") << jelly;
    if (is_wanted("recorded") || is_wanted("mute")) write_run(folder / "run", usual_run);
    if (is_wanted("recorded")) measure_recorded(folder.path(), "run", usual_run);
    if (is_wanted("sizes"))
        for (const RunSize& size : other_runs) {
            const std::string run = "run_" + std::to_string(size.particles);
            write_run(folder / run, size);
            measure_recorded(folder.path(), run, size);
        }
    if (is_wanted("latency")) {
        measure_latency(folder.path(), "jelly.json", R"("kind":"pull","body":"block",)", "[0.1,0.1,0.1]");
        measure_latency(folder.path(), "water.json", R"("kind":"push",)", "[0,0,0]");
    }
    if (is_wanted("live")) measure_live(folder.path());
    if (is_wanted("mute")) measure_mute(folder.path());
    return 0;
}

} // namespace
} // namespace phyxel

int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    return phyxel::measure(std::set<std::string>(argv + 1, argv + argc));
}
