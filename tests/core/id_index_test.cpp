// SPDX-License-Identifier: MIT
#include <phyxel/core/id_index.h>

#include <gtest/gtest.h>

namespace phyxel::id_index_test {
namespace {

TEST(IdIndex, finds_particles_in_any_order_and_none_that_is_gone)
{
    const std::vector<std::uint64_t> ids = {7, std::uint64_t(1) << 48, 3, 0, 12};
    const IdIndex index(ids);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(index.find(ids[i]), static_cast<Index>(i));
    for (const std::uint64_t id : {1, 4, 13}) EXPECT_FALSE(index.find(id));
    EXPECT_FALSE(IdIndex().find(0));
}

} // namespace
} // namespace phyxel::id_index_test
