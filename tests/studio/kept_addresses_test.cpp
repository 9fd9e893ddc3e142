// SPDX-License-Identifier: MIT
#include "studio/server/kept_addresses.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace phyxel::studio::kept_addresses_test {
namespace {

namespace fs = std::filesystem;

const std::string first(22, 'a'), second(22, 'b');

TEST(KeptAddresses, the_oldest_port_comes_first_and_each_has_one_token)
{
    const TemporaryFolder folder;
    const fs::path file = folder / "state/phyxel/studio_addresses";
    EXPECT_TRUE(read_kept_addresses(file).empty());
    keep_address(file, {4000, first});
    keep_address(file, {3000, first});
    keep_address(file, {4000, second});
    const auto kept = read_kept_addresses(file);
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[0].port, 4000);
    EXPECT_EQ(kept[0].token, second);
    EXPECT_EQ(kept[1].port, 3000);
    for (std::uint16_t port = 1; port < 100; ++port) keep_address(file, {port, first});
    EXPECT_EQ(read_kept_addresses(file).size(), max_kept_addresses);
    EXPECT_EQ(read_kept_addresses(file)[0].port, 4000);
}

TEST(KeptAddresses, nobody_else_can_read_them_and_what_others_could_is_not_used)
{
    const TemporaryFolder folder;
    const fs::path file = folder / "state/studio_addresses";
    keep_address(file, {4000, first});
    EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(fs::status(file.parent_path()).permissions(), fs::perms::owner_all);
    fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
    EXPECT_TRUE(read_kept_addresses(file).empty());
    fs::permissions(file, fs::perms::group_read, fs::perm_options::remove);
    EXPECT_EQ(read_kept_addresses(file).size(), 1u);
    fs::create_symlink(file, folder / "link");
    EXPECT_TRUE(read_kept_addresses(folder / "link").empty());
}

TEST(KeptAddresses, rubbish_is_no_address_and_no_place_is_no_harm)
{
    const TemporaryFolder folder;
    const fs::path file = folder / "studio_addresses";
    std::ofstream(file) << "x y\n0 " << first << "\n70000 " << first << "\n5000 short\n6000 " << first
                        << "\n";
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_EQ(read_kept_addresses(file).size(), 1u);
    EXPECT_EQ(read_kept_addresses(file)[0].port, 6000);
    keep_address(folder / "studio_addresses/below/a_file", {4000, first});
    keep_address({}, {4000, first});
    EXPECT_TRUE(read_kept_addresses({}).empty());
}

} // namespace
} // namespace phyxel::studio::kept_addresses_test
