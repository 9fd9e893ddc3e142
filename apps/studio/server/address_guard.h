// SPDX-License-Identifier: MIT
// Who may talk to the server: whom a request says it is for, which page it comes from, and whether it knows
// the token. A page of another site that makes a browser ask us fails at one of the three.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::studio {

/// 128 random bits as base64url, from the system's generator.
std::string make_token();

/// By which others reach this machine, in numbers: not loopback, and not those that are valid on one cable
/// only.
std::vector<std::string> own_addresses();

class AddressGuard {
public:
    /// `address` is the one that is listened on: a number such as 127.0.0.1 or ::1, without brackets.
    AddressGuard(std::string address, std::uint16_t port, std::string token);

    /// Whether a request for this host (with its port) is meant for us: this machine by its own names, or the
    /// address that is listened on. Where that is every address of the machine, any address in numbers will
    /// do: only names can be made to point here by others.
    bool allows_host(std::string_view host) const;

    /// Whether a page of this origin may ask for something of this host: one that came from the very same
    /// host and port. Another port of this machine is another program, perhaps of another user.
    bool allows_origin(std::string_view origin, std::string_view host) const;

    /// Whether the query (`token=…`) has the token. A cookie would not do: browsers know no ports there, and
    /// would hand it to every program on this machine that serves a page.
    bool has_token(std::string_view query) const;

    const std::string& token() const { return token_; }

    /// What the user opens: at the address that is listened on; where that is every address of the machine,
    /// at each of these, and this machine itself last.
    std::vector<std::string> urls(std::span<const std::string> of_machine) const;

private:
    bool is_token(std::string_view text) const;

    std::string address_;
    std::string port_;
    std::string token_;
};

} // namespace phyxel::studio
