// SPDX-License-Identifier: MIT
#include "studio/server/address_guard.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace phyxel::studio::address_guard_test {
namespace {

const AddressGuard guard("127.0.0.1", 8080, "abcDEF123-_xyz");

TEST(AddressGuard, tokens_have_128_bits_and_are_never_the_same)
{
    std::set<std::string> tokens;
    for (int n = 0; n < 100; ++n) {
        const std::string token = make_token();
        EXPECT_EQ(token.size(), 22u); // ⌈128 / 6⌉
        EXPECT_EQ(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
                  std::string::npos);
        tokens.insert(token);
    }
    EXPECT_EQ(tokens.size(), 100u);
}

TEST(AddressGuard, only_this_machine_is_a_host)
{
    for (const char* host : {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"})
        EXPECT_TRUE(guard.allows_host(host)) << host;
    for (const char* host : {"", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:18080", "evil.com:8080", "evil.com",
                             "127.0.0.1.evil.com:8080", "localhost:8080.evil.com", "192.168.0.7:8080",
                             "[::1]", "::1:8080", "user@localhost:8080", " localhost:8080"})
        EXPECT_FALSE(guard.allows_host(host)) << host;
}

TEST(AddressGuard, only_a_page_of_the_very_host_and_port_that_it_asks_is_an_origin)
{
    for (const std::string host : {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"})
        EXPECT_TRUE(guard.allows_origin("http://" + host, host)) << host;
    for (const char* origin :
         {"", "null", "https://127.0.0.1:8080", "http://evil.com", "http://evil.com:8080",
          "http://127.0.0.1:8081", "http://127.0.0.1", "http://127.0.0.1:80801", "http://127.0.0.1:8080/",
          "file://", "http://x@127.0.0.1:8080",
          // Other programs may serve this port at other addresses of this machine.
          "http://localhost:8080", "http://[::1]:8080"})
        EXPECT_FALSE(guard.allows_origin(origin, "127.0.0.1:8080")) << origin;
    // A name that was made to point here is the same in both.
    EXPECT_FALSE(guard.allows_origin("http://evil.com:8080", "evil.com:8080"));
    EXPECT_FALSE(guard.allows_origin("http://localhost:8081", "localhost:8081"));
}

TEST(AddressGuard, an_address_that_is_listened_on_is_a_host_too)
{
    const AddressGuard lan("192.168.0.7", 9000, "t");
    EXPECT_TRUE(lan.allows_host("192.168.0.7:9000"));
    EXPECT_FALSE(lan.allows_host("192.168.0.8:9000"));
    EXPECT_EQ(lan.urls({}), std::vector<std::string>{"http://192.168.0.7:9000/?token=t"});
    const AddressGuard six("fe80::1", 9000, "t");
    EXPECT_TRUE(six.allows_host("[fe80::1]:9000"));
    EXPECT_EQ(six.urls({}), std::vector<std::string>{"http://[fe80::1]:9000/?token=t"});
}

TEST(AddressGuard, all_addresses_are_hosts_in_numbers_but_not_by_name)
{
    const AddressGuard any("0.0.0.0", 9000, "t");
    EXPECT_TRUE(any.allows_host("192.168.0.7:9000"));
    EXPECT_TRUE(any.allows_host("[fe80::1]:9000"));
    EXPECT_FALSE(any.allows_host("evil.com:9000"));
    EXPECT_FALSE(any.allows_host("1.2.3.4.evil.com:9000"));
}

TEST(AddressGuard, who_listens_on_all_addresses_is_told_those_that_others_can_reach)
{
    const std::vector<std::string> machine = {"192.168.0.7", "2001:db8::1"};
    const std::string four = "http://192.168.0.7:9000/?token=t", six = "http://[2001:db8::1]:9000/?token=t",
                      own = "http://127.0.0.1:9000/?token=t";
    EXPECT_EQ(AddressGuard("0.0.0.0", 9000, "t").urls(machine), (std::vector<std::string>{four, own}));
    EXPECT_EQ(AddressGuard("::", 9000, "t").urls(machine), (std::vector<std::string>{four, six, own}));
    EXPECT_EQ(AddressGuard("0.0.0.0", 9000, "t").urls({}), std::vector<std::string>{own});
    for (const std::string& address : own_addresses()) {
        EXPECT_FALSE(address.starts_with("127.") || address == "::1" || address.starts_with("fe80"))
            << address;
        EXPECT_TRUE(
            AddressGuard("0.0.0.0", 9000, "t")
                .allows_host((address.find(':') == std::string::npos ? address : "[" + address + "]") +
                             ":9000"));
    }
}

TEST(AddressGuard, the_token_comes_in_the_query)
{
    EXPECT_TRUE(guard.has_token("token=abcDEF123-_xyz"));
    EXPECT_TRUE(guard.has_token("a=1&token=abcDEF123-_xyz&b=2"));
    for (const char* query :
         {"", "token=", "token=abcDEF123-_xy", "token=abcDEF123-_xyzz", "tokens=abcDEF123-_xyz",
          "token=ABCdef123-_xyz", "abcDEF123-_xyz", " token=abcDEF123-_xyz", "token=abcDEF123-_xyz;"})
        EXPECT_FALSE(guard.has_token(query)) << query;
    EXPECT_FALSE(AddressGuard("127.0.0.1", 1, "").has_token("token="));
}

} // namespace
} // namespace phyxel::studio::address_guard_test
