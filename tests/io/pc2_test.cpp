// SPDX-License-Identifier: MIT
#include "io_support.h"

#include <phyxel/io/frames.h>
#include <phyxel/io/pc2.h>

#include <gtest/gtest.h>

#include <cstring>

namespace phyxel::pc2_test {
namespace {

namespace fs = std::filesystem;

/// Positions that differ from sample to sample and are exact in single precision.
std::vector<Vec<3>> sample_positions(std::size_t count, int sample)
{
    std::vector<Vec<3>> positions;
    for (std::size_t i = 0; i < count; ++i)
        positions.push_back({0.5 * double(i), 0.25 * sample, double(i) - sample});
    return positions;
}

void expect_samples(const PointCache& cache, std::size_t points, const std::vector<int>& samples)
{
    ASSERT_EQ(cache.samples.size(), samples.size());
    EXPECT_EQ(cache.point_count, points);
    for (std::size_t s = 0; s < samples.size(); ++s) {
        const std::vector<Vec<3>> expected = sample_positions(points, samples[s]);
        ASSERT_EQ(cache.samples[s].size(), points);
        for (std::size_t i = 0; i < points; ++i)
            EXPECT_EQ(cache.samples[s][i].cast<double>(), expected[i]) << s;
    }
}

/// Frames of a mesh of so many points each.
std::vector<FrameFile> write_frames(const fs::path& run, const std::vector<std::size_t>& point_counts)
{
    fs::create_directories(run / "frames");
    for (std::size_t f = 0; f < point_counts.size(); ++f) {
        Snapshot snapshot;
        snapshot.body = "jelly_surface";
        snapshot.points = sample_positions(point_counts[f], static_cast<int>(f));
        snapshot.triangles = {{0, 1, 2}};
        write_snapshot(frame_path(run, "jelly_surface", f + 4), snapshot);
    }
    return find_frames(run);
}

TEST(PointCache, the_bytes_are_those_that_blender_expects)
{
    const TemporaryFolder folder;
    write_pc2(folder.path() / "a.pc2", write_frames(folder.path(), {3, 3}));
    std::string expected("POINTCACHE2\0\1\0\0\0\3\0\0\0", 20);
    const auto put = [&](auto number) {
        expected.append(reinterpret_cast<const char*>(&number), sizeof(number));
    };
    put(4.0f);
    put(1.0f);
    put(std::int32_t(2));
    for (const float x : {0.0f, 0.0f, 0.0f, 0.5f, 0.0f, 1.0f, 1.0f, 0.0f, 2.0f}) put(x);
    for (const float x : {0.0f, 0.25f, -1.0f, 0.5f, 0.25f, 0.0f, 1.0f, 0.25f, 1.0f}) put(x);
    EXPECT_EQ(text_of(folder.path() / "a.pc2"), expected);
}

TEST(PointCache, frames_of_a_run_become_a_cache)
{
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "a.pc2";
    write_pc2(path, write_frames(folder.path(), {6, 6, 6}));
    const PointCache cache = read_pc2(path);
    EXPECT_EQ(cache.start_frame, 4.0f);
    EXPECT_EQ(cache.sample_rate, 1.0f);
    expect_samples(cache, 6, {0, 1, 2});
    // What follows the samples that the header counts, as a program that was killed may have left it.
    write_file(path, text_of(path) + "half a sample");
    expect_samples(read_pc2(path), 6, {0, 1, 2});
}

TEST(PointCache, frames_that_are_no_mesh_that_moves_are_refused_and_leave_no_file)
{
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "a.pc2";
    std::vector<FrameFile> frames = write_frames(folder.path(), {6, 6, 7});
    EXPECT_EQ(error_of([&] { write_pc2(path, frames); }),
              frames[2].path.string() +
                  ": has 7 points and the first frame 6, but a point cache is of one mesh that moves");
    frames = write_frames(folder.path(), {6, 6, 6});
    frames.erase(frames.begin() + 1);
    EXPECT_EQ(error_of([&] { write_pc2(path, frames); }),
              frames[1].path.string() + ": frame 5 before it is missing");
    EXPECT_NE(error_of([&] { write_pc2(path, {}); }), "");
    EXPECT_FALSE(fs::exists(path));
}

TEST(PointCache, damaged_files_are_one_line)
{
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "a.pc2";
    write_pc2(path, write_frames(folder.path(), {3, 3}));
    const std::string whole = text_of(path);
    const auto refusal = [](const std::string& bytes) {
        return error_of([&] { parse_pc2(bytes_of(bytes), "a.pc2"); });
    };
    EXPECT_EQ(refusal(whole), "");
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusal(whole.substr(0, size)), "") << size;
    const auto with = [&](std::size_t offset, std::int32_t number) {
        std::string bytes = whole;
        std::memcpy(bytes.data() + offset, &number, sizeof(number));
        return bytes;
    };
    EXPECT_EQ(refusal("POINTCACHE3" + whole.substr(11)),
              "a.pc2: byte 12: is no point cache, which begins with POINTCACHE2");
    EXPECT_EQ(refusal(with(12, 2)), "a.pc2: byte 16: version 2 of point caches is not known");
    EXPECT_EQ(refusal(with(16, -1)), "a.pc2: byte 32: there is a negative number of points or samples");
    EXPECT_EQ(refusal(with(16, 2147483647)),
              "a.pc2: byte 32: ends too early: 2 samples of 2147483647 points expected");
    EXPECT_EQ(refusal(with(28, 2147483647)),
              "a.pc2: byte 32: ends too early: 2147483647 samples of 3 points expected");
    EXPECT_EQ(refusal(with(16, 0)), "a.pc2: byte 32: there are samples without points");
}

} // namespace
} // namespace phyxel::pc2_test
