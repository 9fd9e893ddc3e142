// SPDX-License-Identifier: MIT
#include "address_guard.h"

#include <phyxel/io/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/random.h>

namespace phyxel::studio {
namespace {

bool is_any_address(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

bool is_ipv4(const std::string& text)
{
    in_addr ignored;
    return ::inet_pton(AF_INET, text.c_str(), &ignored) == 1;
}

bool is_ipv6(const std::string& text)
{
    in6_addr ignored;
    return ::inet_pton(AF_INET6, text.c_str(), &ignored) == 1;
}

/// The address as it stands in a URL.
std::string host_of(const std::string& address) { return is_ipv6(address) ? "[" + address + "]" : address; }

} // namespace

std::string make_token()
{
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::array<unsigned char, 16> bytes;
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        detail::throw_io_error("random numbers of the system", "read", errno);
    std::string token;
    unsigned bits = 0;
    int count = 0;
    for (const unsigned char byte : bytes) {
        bits = (bits << 8 | byte) & 0xffffu;
        for (count += 8; count >= 6; count -= 6) token += alphabet[bits >> (count - 6) & 63u];
    }
    return token + alphabet[bits << (6 - count) & 63u];
}

std::vector<std::string> own_addresses()
{
    std::vector<std::string> addresses;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0) return addresses;
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || (one->ifa_flags & IFF_UP) == 0 ||
            (one->ifa_flags & IFF_LOOPBACK) != 0)
            continue;
        std::array<char, INET6_ADDRSTRLEN> text = {};
        if (one->ifa_addr->sa_family == AF_INET) {
            const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
            ::inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
        } else if (one->ifa_addr->sa_family == AF_INET6) {
            const auto* address = reinterpret_cast<const sockaddr_in6*>(one->ifa_addr);
            if (!IN6_IS_ADDR_LINKLOCAL(&address->sin6_addr))
                ::inet_ntop(AF_INET6, &address->sin6_addr, text.data(), text.size());
        }
        if (text[0] != '\0') addresses.emplace_back(text.data());
    }
    ::freeifaddrs(all);
    return addresses;
}

AddressGuard::AddressGuard(std::string address, std::uint16_t port, std::string token)
    : address_(std::move(address)),
      port_(std::to_string(port)),
      token_(std::move(token))
{
}

bool AddressGuard::allows_host(std::string_view host) const
{
    if (!host.ends_with(":" + port_)) return false;
    host.remove_suffix(port_.size() + 1);
    if (host == "127.0.0.1" || host == "localhost" || host == "[::1]" || host == host_of(address_))
        return true;
    if (!is_any_address(address_)) return false;
    if (is_ipv4(std::string(host))) return true;
    return host.starts_with('[') && host.ends_with(']') &&
           is_ipv6(std::string(host.substr(1, host.size() - 2)));
}

bool AddressGuard::allows_origin(std::string_view origin, std::string_view host) const
{
    constexpr std::string_view scheme = "http://";
    return origin.starts_with(scheme) && origin.substr(scheme.size()) == host && allows_host(host);
}

bool AddressGuard::is_token(std::string_view text) const
{
    // Takes as long for a wrong token as for one that is nearly right.
    unsigned difference = text.size() == token_.size() ? 0u : 1u;
    for (std::size_t i = 0; i < token_.size(); ++i)
        difference |= static_cast<unsigned char>(token_[i] ^ (i < text.size() ? text[i] : '\0'));
    return difference == 0 && !token_.empty();
}

bool AddressGuard::has_token(std::string_view query) const
{
    constexpr std::string_view key = "token=";
    bool found = false;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        found = found || (pair.starts_with(key) && is_token(pair.substr(key.size())));
    }
    return found;
}

std::vector<std::string> AddressGuard::urls(std::span<const std::string> of_machine) const
{
    std::vector<std::string> urls;
    const auto add = [&](const std::string& address) {
        urls.push_back("http://" + host_of(address) + ":" + port_ + "/?token=" + token_);
    };
    if (!is_any_address(address_)) {
        add(address_);
        return urls;
    }
    // What listens on all addresses of version 4 has none of version 6.
    for (const std::string& address : of_machine)
        if (address_ == "::" || is_ipv4(address)) add(address);
    add("127.0.0.1");
    return urls;
}

} // namespace phyxel::studio
