// SPDX-License-Identifier: MIT
// The studio as a server: pages and the gallery over HTTP, the sitting over WebSockets. One thread for the
// network, which waits for nothing but the network.
#pragma once

#include "gallery.h"
#include "sitting.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace phyxel::studio {

struct ServerOptions {
    std::string address = "127.0.0.1"; ///< in numbers
    std::uint16_t port = 0;            ///< 0: one that is free
    std::string token = {};            ///< a random one if empty
    std::string version = {};          ///< of the program
    std::filesystem::path bundle = {}; ///< the page as it was built
    std::vector<GalleryExample> examples = {};
    std::optional<std::filesystem::path> folder = {}; ///< whose scenes and runs can be opened
    std::vector<std::filesystem::path> roots = {};    ///< files that scenes name lie below one of them
    std::filesystem::path save_folder = "studio";
    std::optional<OpenRequest> first = {};              ///< what is open from the beginning
    std::chrono::milliseconds first_request_time{5000}; ///< that a new connection has until it has asked
};

class Server {
public:
    /// Listens from now on. Throws InputError if the address cannot be used.
    explicit Server(ServerOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;

    const std::string& token() const;

    /// With the token: what the user opens. Several if it listens on all addresses of this machine.
    std::vector<std::string> urls() const;

    /// Serves until `stop`, asked ten times a second, says so.
    void run(const std::function<bool()>& stop);

    /// After `run`: waits for what is still computed, but no longer than `patience` unless a file is being
    /// written. False if a scene is still being opened or checked then: its destructor would wait for that.
    bool end(std::chrono::milliseconds patience);

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace phyxel::studio
