// SPDX-License-Identifier: MIT
// Who may talk to the server: whom a request says it is for, which page it comes from, and whether it knows
// the token. A page of another site that makes a browser ask us fails at one of the three.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace phyxel::studio {

/// 128 random bits as base64url, from the system's generator.
std::string make_token();

class AddressGuard {
public:
    /// `address` is the one that is listened on: a number such as 127.0.0.1 or ::1, without brackets.
    AddressGuard(std::string address, std::uint16_t port, std::string token);

    /// Whether a request for this host (with its port) is meant for us: this machine by its own names, or the
    /// address that is listened on. Where that is every address of the machine, any address in numbers will
    /// do: only names can be made to point here by others.
    bool allows_host(std::string_view host) const;

    /// Whether a page of this origin may ask: one that we served ourselves.
    bool allows_origin(std::string_view origin) const;

    /// Whether the query (`token=…`) or a cookie has the token.
    bool has_token(std::string_view query, std::string_view cookies) const;

    /// Whether the query has it.
    bool is_in_query(std::string_view query) const;

    /// What makes a browser send the token again: the value of a Set-Cookie header.
    std::string cookie() const;

    /// What the user opens.
    std::string url() const;

private:
    bool is_token(std::string_view text) const;
    std::string cookie_name() const;

    std::string address_;
    std::string port_;
    std::string token_;
};

} // namespace phyxel::studio
