// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/bytes.h>
#include <phyxel/io/file.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/pc2.h>

#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view signature("POINTCACHE2\0", 12);
constexpr std::size_t header_size = 32;
constexpr std::uint64_t largest_count = std::numeric_limits<std::int32_t>::max();

std::vector<std::byte> header(std::size_t point_count, float start_frame, std::size_t sample_count)
{
    ByteWriter writer;
    writer.put(signature);
    writer.put(std::int32_t(1));
    writer.put(static_cast<std::int32_t>(point_count));
    writer.put(start_frame);
    writer.put(1.0f); // frames from one sample to the next
    writer.put(static_cast<std::int32_t>(sample_count));
    PHYXEL_ASSERT(writer.size() == header_size);
    return std::move(writer).take();
}

std::size_t sample_size(std::size_t point_count) { return 3 * sizeof(float) * point_count; }

std::span<const std::byte> encode(std::span<const Vec<3>> positions, std::vector<float>& sample)
{
    sample.clear();
    for (const Vec<3>& x : positions)
        for (int k = 0; k < 3; ++k) sample.push_back(static_cast<float>(x[k]));
    return std::as_bytes(std::span<const float>(sample));
}

/// What the header says; the samples are left to be read.
struct CacheHeader {
    std::size_t point_count;
    float start_frame;
    float sample_rate;
    std::size_t sample_count;
};

CacheHeader read_header(ByteReader& reader)
{
    const std::span<const std::byte> begin = reader.take(signature.size());
    if (std::memcmp(begin.data(), signature.data(), signature.size()) != 0)
        reader.fail("is no point cache, which begins with POINTCACHE2");
    const auto version = reader.take<std::int32_t>();
    if (version != 1) reader.fail("version " + std::to_string(version) + " of point caches is not known");
    const auto points = reader.take<std::int32_t>();
    const auto start = reader.take<float>();
    const auto rate = reader.take<float>();
    const auto samples = reader.take<std::int32_t>();
    if (points < 0 || samples < 0) reader.fail("there is a negative number of points or samples");
    return {static_cast<std::size_t>(points), start, rate, static_cast<std::size_t>(samples)};
}

} // namespace

PointCache parse_pc2(std::span<const std::byte> bytes, const std::string& name)
{
    ByteReader reader(bytes, name);
    const CacheHeader head = read_header(reader);
    // A sample without points takes no bytes, so that any number of them would fit.
    if (head.point_count == 0 && head.sample_count > 0) reader.fail("there are samples without points");
    if (!reader.has(head.sample_count, sample_size(head.point_count)))
        reader.fail("ends too early: " + std::to_string(head.sample_count) + " samples of " +
                    std::to_string(head.point_count) + " points expected");
    PointCache cache{head.start_frame, head.sample_rate, head.point_count, {}};
    cache.samples.resize(head.sample_count);
    for (std::vector<Vec<3, float>>& sample : cache.samples) {
        sample.resize(head.point_count);
        const std::span<const std::byte> raw = reader.take(sample_size(head.point_count));
        static_assert(sizeof(Vec<3, float>) == 3 * sizeof(float));
        std::memcpy(static_cast<void*>(sample.data()), raw.data(), raw.size());
    }
    return cache;
}

PointCache read_pc2(const fs::path& path)
{
    const Buffer<std::byte> content = read_file(path);
    return parse_pc2(content.span(), path.string());
}

void write_pc2(const fs::path& path, std::span<const FrameFile> frames)
{
    if (frames.empty()) throw InputError(path.string() + ": there are no frames for a point cache");
    if (frames.size() > largest_count) throw InputError(path.string() + ": too many frames");
    FileWriter file(path);
    std::vector<float> sample;
    std::size_t point_count = 0;
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const FrameFile& frame = frames[f];
        if (frame.number != frames[0].number + f)
            throw InputError(frame.path.string() + ": frame " + std::to_string(frames[0].number + f) +
                             " before it is missing");
        const Snapshot snapshot = read_snapshot(frame.path).snapshot;
        if (f == 0) {
            point_count = snapshot.points.size();
            if (point_count > largest_count)
                throw InputError(path.string() + ": a point cache cannot hold " +
                                 std::to_string(point_count) + " points");
            file.write(header(point_count, static_cast<float>(frame.number), frames.size()));
        }
        if (snapshot.points.size() != point_count)
            throw InputError(frame.path.string() + ": has " + std::to_string(snapshot.points.size()) +
                             " points and the first frame " + std::to_string(point_count) +
                             ", but a point cache is of one mesh that moves");
        file.write(encode(snapshot.points, sample));
    }
    file.commit();
}

} // namespace phyxel
