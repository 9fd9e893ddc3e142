// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace phyxel::rng_test {
namespace {

TEST(Rng, the_same_seed_gives_the_same_numbers)
{
    Rng a(5, 3, 1);
    Rng b(5, 3, 1);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
}

TEST(Rng, mixes_as_published)
{
    // First output of SplitMix64 for a counter that starts at 0: the golden gamma run through the mixer of
    // [SLF14], a number that other implementations print too. mix(0) = 0, so this is Rng(0).
    Rng rng(0);
    EXPECT_EQ(rng(), 0xe220a8397b1dcdafu);
    EXPECT_EQ(rng(), 0x6e789e6aa1b965f4u);
    EXPECT_EQ(rng(), 0x06c45d188009454fu);
}

TEST(Rng, seeds_streams_and_substreams_all_differ)
{
    std::set<std::uint64_t> firsts;
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (std::uint64_t stream = 0; stream < 20; ++stream)
            for (std::uint64_t substream = 0; substream < 20; ++substream)
                firsts.insert(Rng(seed, stream, substream)());
    EXPECT_EQ(firsts.size(), 8000u);
}

TEST(Rng, neighbouring_streams_are_uncorrelated)
{
    // One number each of 10⁵ streams, against that of the next stream. The correlation of independent numbers
    // has a standard deviation of 1/√n.
    const int n = 100000;
    double covariance = 0.0;
    for (int i = 0; i < n; ++i) covariance += (Rng(1, i).uniform() - 0.5) * (Rng(1, i + 1).uniform() - 0.5);
    EXPECT_LT(std::abs(12.0 * covariance / n), 5.0 / std::sqrt(n));
}

TEST(Rng, uniform_numbers_have_the_right_mean_variance_and_range)
{
    Rng rng(11);
    const int n = 200000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double u = rng.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
    }
    const double mean = sum / n;
    EXPECT_NEAR(mean, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / n));
    // The variance of (u − ½)² is 1/180.
    EXPECT_NEAR(squares / n - mean * mean, 1.0 / 12.0, 5.0 * std::sqrt(1.0 / 180.0 / n));
}

TEST(Rng, normal_numbers_have_the_right_moments)
{
    Rng rng(12);
    const int n = 200000;
    std::array<double, 5> moment = {};
    for (int i = 0; i < n; ++i) {
        const double z = rng.normal();
        ASSERT_TRUE(std::isfinite(z));
        for (std::size_t k = 1; k < moment.size(); ++k) moment[k] += std::pow(z, static_cast<double>(k)) / n;
    }
    // Standard deviations of the sample moments: √(1/n), √(2/n), √(15/n), √(96/n).
    EXPECT_NEAR(moment[1], 0.0, 5.0 * std::sqrt(1.0 / n));
    EXPECT_NEAR(moment[2], 1.0, 5.0 * std::sqrt(2.0 / n));
    EXPECT_NEAR(moment[3], 0.0, 5.0 * std::sqrt(15.0 / n));
    EXPECT_NEAR(moment[4], 3.0, 5.0 * std::sqrt(96.0 / n));
}

TEST(Rng, below_reaches_every_number_equally_often)
{
    Rng rng(13);
    const int n = 60000;
    std::array<int, 6> hits = {};
    for (int i = 0; i < n; ++i) ++hits.at(rng.below(6));
    for (const int hit : hits) EXPECT_NEAR(hit, n / 6.0, 5.0 * std::sqrt(n * 5.0 / 36.0));
}

TEST(Rng, points_lie_in_their_box)
{
    Rng rng(14);
    for (int i = 0; i < 1000; ++i) {
        const Vec<3> x = rng.point<3>(-2.0, 5.0);
        EXPECT_GE(x.minCoeff(), -2.0);
        EXPECT_LT(x.maxCoeff(), 5.0);
    }
}

} // namespace
} // namespace phyxel::rng_test
