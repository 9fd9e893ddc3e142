// SPDX-License-Identifier: MIT
// The only file that sees Boost.Beast, which takes a quarter of a minute to compile.
#include "server.h"

#include "address_guard.h"
#include "client_queue.h"
#include "frame_encoder.h"
#include "served_files.h"
#include "validator.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/scene/document.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;
namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;
using namespace std::chrono_literals;

/// Who asked for what is open from the beginning.
constexpr ClientNumber command_line = 0;

// Whoever has shown the token and whoever has not are counted apart, so that the one cannot take the room of
// the other.
constexpr std::size_t max_strangers = 64;
constexpr std::size_t max_known = 64;
constexpr std::size_t max_clients = 16;
constexpr std::uint32_t max_header_size = 16384; ///< [bytes]
constexpr auto http_timeout = 30s;
constexpr std::uint64_t max_page_file = std::uint64_t(64) << 20; ///< [bytes]

constexpr std::string_view content_policy =
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// A message that is written: a text, or the bytes of a frame.
using Outgoing = std::variant<std::string, std::vector<std::byte>>;

} // namespace

class Server::Implementation {
public:
    explicit Implementation(ServerOptions options);

    void run(const std::function<bool()>& stop);
    bool end(std::chrono::milliseconds patience);
    const AddressGuard& guard() const { return guard_; }
    std::uint16_t port() const { return port_; }

private:
    class HttpSession;
    class Client;
    using Sessions = std::list<HttpSession*>;

    void tidy_save_folder() const;
    void accept();
    void make_room(const Sessions& sessions, std::size_t most);
    void watch(const std::function<bool()>& stop);
    Response answer(const Request& request);
    Response page(const Request& request, const std::string& path);
    void add_client(tcp::socket socket, const Request& request);
    void remove_client(ClientNumber number, bool was_open);
    void on_news(News news);
    void handle(Client& client, const Message& message);
    OpenRequest request_for(const OpenMessage& message) const;
    void update_wishes();
    void request_frame();

    ServerOptions options_;
    // They outlive the sessions, which end with `io_` at the latest. Those that did something last are last.
    Sessions strangers_; ///< have not shown the token
    Sessions known_;
    net::io_context io_{1};
    tcp::acceptor acceptor_;
    std::uint16_t port_ = 0;
    AddressGuard guard_;
    net::steady_timer timer_{io_};
    net::steady_timer pause_{io_};
    ClientNumber next_client_ = command_line + 1;
    std::string first_error_; ///< why what was named at the start could not be opened
    std::map<ClientNumber, std::shared_ptr<Client>> clients_;
    // Last, so that their threads have ended before anything that they talk to goes away.
    Validator validator_;
    Sitting sitting_;
};

/// A connection before it becomes a WebSocket, if it ever does.
class Server::Implementation::HttpSession : public std::enable_shared_from_this<HttpSession> {
public:
    /// What it waits for; those that wait for the first are the first to give way to others.
    enum class Waiting { FirstRequest, NextRequest, Written };

    HttpSession(Implementation& server, tcp::socket socket) : server_(server), stream_(std::move(socket))
    {
        server_.make_room(server_.strangers_, max_strangers);
        place_ = server_.strangers_.insert(server_.strangers_.end(), this);
    }
    ~HttpSession() { leave(); }
    HttpSession(const HttpSession&) = delete;
    HttpSession& operator=(const HttpSession&) = delete;

    Waiting waiting() const { return waiting_; }

    void begin() { read(server_.options_.first_request_time); }

    /// Ends the connection, for another one that has more to say.
    void give_way()
    {
        leave();
        stream_.close();
    }

private:
    void leave()
    {
        if (sessions_ != nullptr) std::exchange(sessions_, nullptr)->erase(place_);
    }

    /// To the end of those who may stay longest.
    void move_to(Sessions& sessions, std::size_t most)
    {
        if (sessions_ != &sessions) server_.make_room(sessions, most);
        sessions.splice(sessions.end(), *std::exchange(sessions_, &sessions), place_);
    }

    void read(std::chrono::milliseconds time)
    {
        parser_.emplace();
        parser_->header_limit(max_header_size);
        parser_->body_limit(0);
        stream_.expires_after(time);
        http::async_read(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_read(error); });
    }

    void on_read(beast::error_code error)
    {
        // Closed, too slow, or no HTTP: the connection ends here. So does one that has given way meanwhile.
        if (error || sessions_ == nullptr) return;
        const Request request = parser_->release();
        if (sessions_ == &server_.known_ || server_.guard_.has_token(query_of(view(request.target()))))
            move_to(server_.known_, max_known);
        else
            move_to(server_.strangers_, max_strangers);
        waiting_ = Waiting::Written;
        response_ = server_.answer(request);
        if (response_.result() == http::status::switching_protocols) {
            stream_.expires_never();
            server_.add_client(stream_.release_socket(), request);
            return;
        }
        response_.keep_alive(request.keep_alive());
        response_.prepare_payload();
        stream_.expires_after(http_timeout);
        http::async_write(stream_, response_,
                          [self = shared_from_this()](beast::error_code failure, std::size_t) {
                              if (failure || !self->response_.keep_alive()) return;
                              self->response_ = {};
                              self->waiting_ = Waiting::NextRequest;
                              if (self->sessions_ != nullptr) self->read(http_timeout);
                          });
    }

    Implementation& server_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{max_header_size * 2};
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
    Waiting waiting_ = Waiting::FirstRequest;
    Sessions* sessions_ = &server_.strangers_; ///< in which it is; none once it is to end
    Sessions::iterator place_;
};

/// A page that is connected.
class Server::Implementation::Client : public std::enable_shared_from_this<Client> {
public:
    Client(Implementation& server, tcp::socket socket, ClientNumber number)
        : server_(server),
          number_(number),
          stream_(std::move(socket))
    {
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    ClientNumber number() const { return number_; }
    const ClientView& view() const { return view_; }
    void set_view(ClientView view) { view_ = std::move(view); }
    ClientQueue& queue() { return queue_; }

    /// Whether it could take a frame that is not there yet.
    bool has_room() const { return sitting_ != 0 && queue_.has_room(); }

    void begin(const Request& request)
    {
        stream_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
        stream_.read_message_max(max_message_size);
        stream_.auto_fragment(false);
        beast::error_code ignored;
        beast::get_lowest_layer(stream_).socket().set_option(tcp::no_delay(true), ignored);
        stream_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
            if (error) return self->end();
            self->is_open_ = true;
            self->send();
            self->server_.sitting_.post(self->number_, ClientCame{});
            self->server_.update_wishes();
            self->read();
        });
    }

    void tell(std::string text)
    {
        if (!queue_.add_text(std::move(text))) return close("you do not read what is sent");
        send();
    }

    void tell_error(const std::string& what)
    {
        tell(to_line(Node::object({{"type", "error"}, {"message", what}})));
    }

    /// From now on it sees this sitting, 0 for none.
    void tell_scene(std::uint32_t sitting, std::string text)
    {
        sitting_ = sitting;
        queue_.drop_frame();
        tell(std::move(text));
    }

    void offer(std::shared_ptr<const StreamFrame> frame)
    {
        if (frame->sitting != sitting_) return;
        queue_.offer(std::move(frame));
        send();
    }

    void acknowledge(std::uint32_t serial)
    {
        const std::uint32_t before = queue_.frames_in_flight();
        if (!queue_.acknowledge(serial)) return tell_error("message \"ack\": no such frame was sent");
        // We have asked for it, however many frames there are in a second.
        if (queue_.frames_in_flight() < before) --messages_;
        send();
    }

    void send()
    {
        if (is_writing_ || !is_open_) return;
        if (outgoing_.empty()) fill_outgoing();
        if (outgoing_.empty()) return;
        is_writing_ = true;
        const Outgoing& message = outgoing_.front();
        stream_.binary(std::holds_alternative<std::vector<std::byte>>(message));
        const net::const_buffer bytes =
            std::visit([](const auto& m) { return net::const_buffer(m.data(), m.size()); }, message);
        stream_.async_write(bytes, [self = shared_from_this()](beast::error_code error, std::size_t) {
            self->is_writing_ = false;
            if (error) return self->end();
            self->outgoing_.pop_front();
            self->send();
            self->server_.request_frame();
        });
    }

    /// Says why and ends the connection.
    void close(const std::string& why)
    {
        if (std::exchange(is_closing_, true) || !is_open_) return;
        stream_.async_close({websocket::close_code::policy_error, why},
                            [self = shared_from_this()](beast::error_code) { self->end(); });
    }

private:
    void fill_outgoing()
    {
        auto next = queue_.next();
        if (!next) return;
        if (auto* text = std::get_if<std::string>(&*next)) {
            outgoing_.emplace_back(std::move(*text));
            return;
        }
        const DueFrame& due = std::get<DueFrame>(*next);
        outgoing_.emplace_back(due.frame->state);
        outgoing_.emplace_back(encoder_.encode(*due.frame, view_, due.serial));
        if (const auto picked = due.frame->picked.find(number_); picked != due.frame->picked.end())
            outgoing_.emplace_back(picked->second);
    }

    void read()
    {
        stream_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
            if (error) return self->end();
            self->on_message();
        });
    }

    void on_message()
    {
        if (!is_closing_ && is_within_rate() && !stream_.got_text()) close("binary messages mean nothing");
        if (!is_closing_) {
            const net::const_buffer bytes = buffer_.data();
            try {
                const Message message = parse_message({static_cast<const char*>(bytes.data()), bytes.size()});
                server_.handle(*this, message);
            } catch (const InputError& error) {
                tell_error(error.what());
            }
        }
        buffer_.consume(buffer_.size());
        read();
    }

    bool is_within_rate()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - second_ > 1s) {
            second_ = now;
            messages_ = 0;
        }
        if (++messages_ <= max_messages_a_second) return true;
        close("more than " + std::to_string(max_messages_a_second) + " messages in a second");
        return false;
    }

    void end()
    {
        if (std::exchange(is_ended_, true)) return;
        is_closing_ = true;
        server_.remove_client(number_, std::exchange(is_open_, false));
        beast::error_code ignored;
        beast::get_lowest_layer(stream_).socket().close(ignored);
    }

    Implementation& server_;
    ClientNumber number_;
    websocket::stream<beast::tcp_stream> stream_;
    beast::flat_buffer buffer_;
    ClientView view_;
    ClientQueue queue_;
    FrameEncoder encoder_;
    std::deque<Outgoing> outgoing_; ///< the first one is being written
    std::uint32_t sitting_ = 0;
    std::chrono::steady_clock::time_point second_ = {};
    int messages_ = 0;
    bool is_open_ = false, is_writing_ = false, is_closing_ = false, is_ended_ = false;
};

namespace {

tcp::acceptor listen_on(net::io_context& io, const ServerOptions& options)
{
    beast::error_code error;
    const net::ip::address address = net::ip::make_address(options.address, error);
    if (error)
        throw InputError("\"" + options.address +
                         "\" is no address to listen on, expected one in numbers "
                         "such as 127.0.0.1 or 0.0.0.0");
    const tcp::endpoint endpoint(address, options.port);
    tcp::acceptor acceptor(io);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
    if (error)
        throw InputError("cannot listen on " + options.address + " port " + std::to_string(options.port) +
                         ": " + error.message());
    return acceptor;
}

Response text_response(http::status status, std::string text)
{
    Response response(status, 11);
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = std::move(text) + "\n";
    return response;
}

/// As it was compressed when the page was built, for those who can read that.
Response file_response(const fs::path& file, const Request& request)
{
    const fs::path compressed = file.string() + ".gz";
    std::error_code error;
    const bool is_compressed = accepts_gzip(view(request[http::field::accept_encoding])) &&
                               fs::is_regular_file(fs::symlink_status(compressed, error));
    const Buffer<std::byte> bytes = read_file(is_compressed ? compressed : file, max_page_file);
    Response response(http::status::ok, 11);
    if (is_compressed) response.set(http::field::content_encoding, "gzip");
    const std::string_view type = content_type(file);
    response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    response.body().assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return response;
}

} // namespace

Server::Implementation::Implementation(ServerOptions options)
    : options_(std::move(options)),
      acceptor_(listen_on(io_, options_)),
      port_(acceptor_.local_endpoint().port()),
      guard_(options_.address, port_, options_.token.empty() ? make_token() : options_.token),
      validator_(options_.roots,
                 [this](ClientNumber client, std::string text) {
                     net::post(io_, [this, client, text = std::move(text)]() mutable {
                         on_news(TextNews{client, std::move(text)});
                     });
                 }),
      sitting_({options_.roots, options_.save_folder}, [this](News news) {
          net::post(io_, [this, news = std::move(news)]() mutable { on_news(std::move(news)); });
      })
{
    tidy_save_folder();
    if (options_.first) sitting_.post(command_line, *options_.first);
    accept();
}

void Server::Implementation::run(const std::function<bool()>& stop)
{
    watch(stop);
    io_.run();
    clients_.clear();
}

/// What a studio that was killed left half written there. Several may use the folder.
void Server::Implementation::tidy_save_folder() const
{
    std::error_code error;
    if (!fs::is_directory(options_.save_folder, error)) return;
    try {
        remove_abandoned_files(options_.save_folder);
    } catch (const IoError&) { // whoever wants to save into it will be told
    }
}

bool Server::Implementation::end(std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    // Both are asked before either is waited for.
    validator_.ask_to_end();
    sitting_.ask_to_end();
    const bool has_sitting_ended = sitting_.has_ended_by(deadline);
    return validator_.has_ended_by(deadline) && has_sitting_ended;
}

void Server::Implementation::watch(const std::function<bool()>& stop)
{
    timer_.expires_after(100ms);
    timer_.async_wait([this, &stop](beast::error_code error) {
        if (error || stop()) return io_.stop();
        watch(stop);
    });
}

void Server::Implementation::accept()
{
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
        if (error == net::error::operation_aborted) return;
        if (error) {
            // Such as no more descriptors: trying again at once would only use up the processor.
            pause_.expires_after(100ms);
            return pause_.async_wait([this](beast::error_code ended) {
                if (!ended) accept();
            });
        }
        std::make_shared<HttpSession>(*this, std::move(socket))->begin();
        accept();
    });
}

/// For one more. Whoever has said nothing yet goes first, then whoever has nothing to say, then whoever does
/// not read; of these the one that has been so for the longest time.
void Server::Implementation::make_room(const Sessions& sessions, std::size_t most)
{
    if (sessions.size() < most) return;
    const auto last =
        std::min_element(sessions.begin(), sessions.end(), [](const HttpSession* a, const HttpSession* b) {
            return a->waiting() < b->waiting();
        });
    (*last)->give_way();
}

Response Server::Implementation::answer(const Request& request)
{
    const auto response = [&]() -> Response {
        if (request.count(http::field::host) != 1 || !guard_.allows_host(view(request[http::field::host])))
            return text_response(http::status::forbidden, "This host is not served here.");
        if (request.count(http::field::origin) > 1 ||
            (request.count(http::field::origin) == 1 &&
             !guard_.allows_origin(view(request[http::field::origin]), view(request[http::field::host]))))
            return text_response(http::status::forbidden, "Pages of other sites may not ask.");
        if (request.method() != http::verb::get)
            return text_response(http::status::method_not_allowed, "Only GET is served.");
        const std::string_view target = view(request.target());
        const std::optional<std::string> path = decode_target(target);
        if (!path || !path->starts_with('/'))
            return text_response(http::status::bad_request, "This is no path.");
        try {
            return page(request, *path);
        } catch (const InputError& error) {
            return text_response(http::status::internal_server_error, error.what());
        }
    };
    Response result = response();
    result.set("Content-Security-Policy", beast::string_view(content_policy.data(), content_policy.size()));
    result.set("X-Frame-Options", "DENY"); // what browsers knew before frame-ancestors
    result.set("Cross-Origin-Opener-Policy", "same-origin");
    result.set("Cross-Origin-Resource-Policy", "same-origin");
    result.set("X-Content-Type-Options", "nosniff");
    result.set("Referrer-Policy", "no-referrer");
    result.set(http::field::cache_control, "no-store");
    return result;
}

Response Server::Implementation::page(const Request& request, const std::string& path)
{
    const bool has_token = guard_.has_token(query_of(view(request.target())));
    const auto not_found = [] { return text_response(http::status::not_found, "There is no such page."); };
    if (path == "/") {
        const auto index = confined_path(options_.bundle, "index.html");
        return index ? file_response(*index, request)
                     : text_response(http::status::ok,
                                     "The page of the studio is not built: run \"npm ci\" and "
                                     "\"npm run build\" in apps/studio/web, then load this again.");
    }
    const bool is_open_to_all =
        path != "/ws" && !path.starts_with("/api/") && !path.starts_with("/thumbnails/");
    if (!is_open_to_all && !has_token)
        return text_response(
            http::status::unauthorized,
            "The token is missing or wrong: open the address that \"phyxel studio\" printed.");
    if (path == "/ws") {
        if (!websocket::is_upgrade(request))
            return text_response(http::status::upgrade_required, "This is a WebSocket.");
        if (clients_.size() >= max_clients)
            return text_response(http::status::service_unavailable, "Too many pages are connected.");
        return Response(http::status::switching_protocols, 11);
    }
    if (path == "/api/gallery") {
        Response response(http::status::ok, 11);
        response.set(http::field::content_type, "application/json");
        response.body() = to_line(gallery_node(options_.examples, options_.folder));
        return response;
    }
    const auto file = confined_path(options_.bundle, std::string_view(path).substr(1));
    std::error_code error;
    if (!file || !fs::is_regular_file(*file, error)) return not_found();
    return file_response(*file, request);
}

void Server::Implementation::add_client(tcp::socket socket, const Request& request)
{
    const ClientNumber number = next_client_++;
    const auto client = std::make_shared<Client>(*this, std::move(socket), number);
    clients_[number] = client;
    client->tell(to_line(Node::object(
        {{"type", "hello"}, {"version", options_.version}, {"writable", true}, {"protocol", 4}})));
    if (!first_error_.empty()) client->tell(first_error_);
    client->begin(request);
}

void Server::Implementation::remove_client(ClientNumber number, bool was_open)
{
    clients_.erase(number);
    if (!was_open) return; // nobody had heard of it
    sitting_.post(number, ClientGone{});
    update_wishes();
}

/// What all clients together want to see.
void Server::Implementation::update_wishes()
{
    Wishes wishes;
    wishes.surfaces = false;
    for (const auto& [number, client] : clients_) {
        if (client->view().color != "body") wishes.fields.insert(client->view().color);
        wishes.surfaces = wishes.surfaces || client->view().surface;
        wishes.made_surfaces = wishes.made_surfaces || client->view().made_surface;
    }
    sitting_.post(0, WishesChanged{std::move(wishes)});
}

void Server::Implementation::request_frame()
{
    for (const auto& [number, client] : clients_)
        if (client->has_room()) return sitting_.request_frame();
}

void Server::Implementation::on_news(News news)
{
    // A client may go away while it is told something.
    const auto listeners = clients_;
    const auto for_listeners = [&](std::optional<ClientNumber> wanted, const auto& tell) {
        for (const auto& [number, client] : listeners)
            if (!wanted || *wanted == number) tell(*client);
    };
    if (const auto* text = std::get_if<TextNews>(&news); text != nullptr && text->client == command_line) {
        // Whoever comes will want to know why there is nothing to see.
        first_error_ = text->text;
        for_listeners(std::nullopt, [&](Client& client) { client.tell(text->text); });
    } else if (text != nullptr)
        for_listeners(text->client, [&](Client& client) { client.tell(text->text); });
    else if (const auto* scene = std::get_if<SceneNews>(&news)) {
        if (scene->sitting != 0) first_error_.clear();
        for_listeners(scene->client, [&](Client& client) { client.tell_scene(scene->sitting, scene->text); });
    } else
        for_listeners(std::nullopt, [&](Client& client) {
            client.offer(std::get<std::shared_ptr<const StreamFrame>>(news));
        });
    request_frame();
}

void Server::Implementation::handle(Client& client, const Message& message)
{
    std::visit(
        [&](const auto& m) {
            using Kind = std::decay_t<decltype(m)>;
            if constexpr (std::is_same_v<Kind, AckMessage>) {
                client.acknowledge(m.serial);
                request_frame();
            } else if constexpr (std::is_same_v<Kind, ViewMessage>) {
                client.set_view({m.color, m.surface, m.made_surface});
                update_wishes();
            } else if constexpr (std::is_same_v<Kind, ValidateMessage>) {
                validator_.post(client.number(), m, sitting_.folder());
            } else {
                bool is_taken = true;
                if constexpr (std::is_same_v<Kind, OpenMessage>)
                    is_taken = sitting_.post(client.number(), request_for(m));
                else
                    is_taken = sitting_.post(client.number(), m);
                if (!is_taken) client.tell_error("too much is waiting for the simulation; this was left out");
            }
        },
        message);
}

/// Throws InputError for what may not be opened.
OpenRequest Server::Implementation::request_for(const OpenMessage& message) const
{
    OpenRequest request;
    request.assignments = message.assignments;
    const auto in_folder = [&](const std::string& kind) -> fs::path {
        const auto path = options_.folder ? confined_path(*options_.folder, message.what) : std::nullopt;
        std::error_code error;
        if (!path || (kind == "run" ? !is_run_folder(*path) : !fs::is_regular_file(*path, error)))
            throw InputError("there is no " + kind + " \"" + message.what + "\" in the folder of the studio");
        return *path;
    };
    switch (message.thing) {
    case OpenedThing::Example:
        for (const GalleryExample& example : options_.examples)
            if (example.name == message.what) request.path = example.path;
        if (request.path.empty()) throw InputError("there is no example \"" + message.what + "\"");
        request.name = message.what;
        request.may_be_coarser = message.assignments.empty();
        break;
    case OpenedThing::File:
        request.path = in_folder("scene");
        request.name = request.path.stem().string();
        break;
    case OpenedThing::Run:
        request.path = in_folder("run");
        request.name = request.path.filename().string();
        request.is_run = true;
        break;
    case OpenedThing::Checkpoint:
        if (!message.assignments.empty())
            throw InputError("a checkpoint goes on as it is; \"set\" needs a scene");
        request.checkpoint = in_folder("checkpoint");
        request.name = request.checkpoint.stem().string();
        break;
    case OpenedThing::Text:
        request.text = message.what;
        request.name = message.name;
        break;
    }
    return request;
}

Server::Server(ServerOptions options) : implementation_(std::make_unique<Implementation>(std::move(options)))
{
}

Server::~Server() = default;

std::uint16_t Server::port() const { return implementation_->port(); }

const std::string& Server::token() const { return implementation_->guard().token(); }

std::vector<std::string> Server::urls() const { return implementation_->guard().urls(own_addresses()); }

void Server::run(const std::function<bool()>& stop) { implementation_->run(stop); }

bool Server::end(std::chrono::milliseconds patience) { return implementation_->end(patience); }

} // namespace phyxel::studio
