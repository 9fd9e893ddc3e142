// SPDX-License-Identifier: MIT
// A client of the studio for tests and benchmarks, on plain sockets: it shares no code with the server.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace phyxel {

/// A connection to a port of this machine.
class LocalConnection {
public:
    explicit LocalConnection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const int yes = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            ::close(socket_);
            throw std::runtime_error("cannot connect");
        }
    }
    ~LocalConnection() { ::close(socket_); }
    LocalConnection(const LocalConnection&) = delete;
    LocalConnection& operator=(const LocalConnection&) = delete;

    void send(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0) return; // the other end is gone, which reading will tell
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    /// Exactly so many bytes; nothing if they do not come in time or never will.
    std::optional<std::string> receive(std::size_t count, double seconds = 20.0)
    {
        const Clock::time_point end = deadline(seconds);
        while (buffer_.size() - begin_ < count)
            if (!fill(end)) return std::nullopt;
        std::string bytes = buffer_.substr(begin_, count);
        begin_ += count;
        if (begin_ == buffer_.size()) {
            buffer_.clear();
            begin_ = 0;
        }
        return bytes;
    }

    /// Everything up to and with `mark`.
    std::optional<std::string> receive_until(std::string_view mark, double seconds = 20.0)
    {
        const Clock::time_point end = deadline(seconds);
        while (true) {
            const std::size_t found = buffer_.find(mark, begin_);
            if (found != std::string::npos) return receive(found + mark.size() - begin_);
            if (!fill(end)) return std::nullopt;
        }
    }

    /// Whether the other end goes away by then; what it sends until it does is thrown away.
    bool is_closed(double seconds)
    {
        const Clock::time_point end = deadline(seconds);
        while (fill(end)) buffer_.clear();
        begin_ = 0;
        return Clock::now() < end;
    }

private:
    using Clock = std::chrono::steady_clock;

    static Clock::time_point deadline(double seconds)
    {
        return Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    bool fill(Clock::time_point end)
    {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        pollfd waiting{socket_, POLLIN, 0};
        if (::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) <= 0) return false;
        std::array<char, 65536> bytes;
        const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
        if (count <= 0) return false;
        buffer_.append(bytes.data(), static_cast<std::size_t>(count));
        return true;
    }

    int socket_;
    std::string buffer_;
    std::size_t begin_ = 0;
};

struct HttpAnswer {
    int status = 0; ///< 0 if there was none
    std::string head, body;
};

/// `headers` are lines with their ends; without "Host: " among them the right one is added.
inline std::string http_request(std::uint16_t port, const std::string& target, const std::string& headers)
{
    const bool has_host = headers.find("Host:") != std::string::npos;
    return "GET " + target + " HTTP/1.1\r\n" +
           (has_host ? "" : "Host: 127.0.0.1:" + std::to_string(port) + "\r\n") + headers + "\r\n";
}

inline HttpAnswer read_answer(LocalConnection& connection)
{
    HttpAnswer answer;
    const auto head = connection.receive_until("\r\n\r\n");
    if (!head) return answer;
    answer.head = *head;
    answer.status = std::stoi(head->substr(9, 3));
    const std::size_t length = head->find("Content-Length: ");
    if (length != std::string::npos)
        answer.body = connection.receive(std::stoul(head->substr(length + 16))).value_or("");
    return answer;
}

inline HttpAnswer http_get(std::uint16_t port, const std::string& target, const std::string& headers = {})
{
    LocalConnection connection(port);
    connection.send(http_request(port, target, headers));
    return read_answer(connection);
}

/// A WebSocket [RFC 6455] as a browser has it.
class WebSocketClient {
public:
    struct Received {
        enum class Kind { Text, Binary, Close } kind = Kind::Text;
        std::string bytes;
    };

    WebSocketClient(std::uint16_t port, const std::string& target, const std::string& headers = {})
        : connection_(port)
    {
        connection_.send(http_request(port, target,
                                      headers + "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                                "Sec-WebSocket-Version: 13\r\n"));
        status_ = read_answer(connection_).status;
    }

    int status() const { return status_; } ///< 101 if it is connected

    void send(std::string_view text, std::uint8_t opcode = 1)
    {
        std::string frame(1, static_cast<char>(0x80 | opcode));
        const auto add_length = [&](int marker, std::size_t bytes) {
            frame += static_cast<char>(0x80 | marker);
            for (std::size_t k = bytes; k-- > 0;) frame += static_cast<char>(text.size() >> (8 * k) & 0xff);
        };
        if (text.size() < 126)
            add_length(static_cast<int>(text.size()), 0);
        else if (text.size() < 65536)
            add_length(126, 2);
        else
            add_length(127, 8);
        frame += std::string(4, '\0'); // a mask that changes nothing
        connection_.send(frame + std::string(text));
    }

    /// The next message; pings are answered on the way. Nothing if none comes in time.
    std::optional<Received> receive(double seconds = 20.0)
    {
        while (true) {
            const auto head = connection_.receive(2, seconds);
            if (!head) return std::nullopt;
            const int opcode = (*head)[0] & 15;
            std::size_t length = static_cast<unsigned char>((*head)[1]) & 127u;
            if (length >= 126) {
                const auto more = connection_.receive(length == 126 ? 2 : 8, seconds);
                if (!more) return std::nullopt;
                length = 0;
                for (const char c : *more) length = length << 8 | static_cast<unsigned char>(c);
            }
            auto payload = connection_.receive(length, seconds);
            if (!payload) return std::nullopt;
            if (opcode == 9) send(*payload, 10);
            if (opcode == 1) return Received{Received::Kind::Text, std::move(*payload)};
            if (opcode == 2) return Received{Received::Kind::Binary, std::move(*payload)};
            if (opcode == 8)
                return Received{Received::Kind::Close,
                                payload->substr(std::min<std::size_t>(2, payload->size()))};
        }
    }

private:
    LocalConnection connection_;
    int status_ = 0;
};

} // namespace phyxel
