// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/bytes.h>
#include <phyxel/io/file.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/pc2.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view signature("POINTCACHE2\0", 12);
constexpr std::size_t count_offset = 28; ///< of the number of samples
constexpr std::size_t header_size = 32;
constexpr std::uint64_t largest_count = std::numeric_limits<std::int32_t>::max();

std::vector<std::byte> header(std::size_t point_count, float start_frame, float sample_rate,
                              std::size_t sample_count)
{
    ByteWriter writer;
    writer.put(signature);
    writer.put(std::int32_t(1));
    writer.put(static_cast<std::int32_t>(point_count));
    writer.put(start_frame);
    writer.put(sample_rate);
    writer.put(static_cast<std::int32_t>(sample_count));
    PHYXEL_ASSERT(writer.size() == header_size);
    return std::move(writer).take();
}

std::size_t sample_size(std::size_t point_count) { return 3 * sizeof(float) * point_count; }

void check_point_count(const fs::path& path, std::size_t point_count)
{
    if (point_count > largest_count)
        throw InputError(path.string() + ": a point cache cannot hold " + std::to_string(point_count) +
                         " points");
}

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

PointCacheWriter::PointCacheWriter(Existing, const fs::path& path, std::size_t point_count)
    : path_(path),
      point_count_(point_count)
{
    open();
}

PointCacheWriter::PointCacheWriter(const fs::path& path, std::size_t point_count, float start_frame,
                                   float sample_rate)
    : path_(path),
      point_count_(point_count)
{
    check_point_count(path, point_count);
    write_file(path, header(point_count, start_frame, sample_rate, 0));
    open();
}

PointCacheWriter PointCacheWriter::resume(const fs::path& path, std::size_t point_count,
                                          std::size_t sample_count)
{
    PointCacheWriter writer(Existing{}, path, point_count);
    std::array<std::byte, header_size> raw{};
    ssize_t got = 0;
    do got = ::pread(writer.descriptor_, raw.data(), raw.size(), 0);
    while (got < 0 && errno == EINTR);
    if (got < 0) detail::throw_io_error(path, "read", errno);
    ByteReader reader(std::span<const std::byte>(raw).first(static_cast<std::size_t>(got)), path.string());
    const CacheHeader head = read_header(reader);
    if (head.point_count != point_count)
        throw InputError(path.string() + ": the cache has " + std::to_string(head.point_count) +
                         " points, but there should be " + std::to_string(point_count));
    const std::uint64_t size = header_size + std::uint64_t(sample_count) * sample_size(point_count);
    if (head.sample_count < sample_count || fs::file_size(path) < size)
        throw InputError(path.string() + ": the cache has " + std::to_string(head.sample_count) +
                         " samples, but there should be " + std::to_string(sample_count));
    writer.sample_count_ = sample_count;
    writer.write_count();
    if (::ftruncate(writer.descriptor_, static_cast<off_t>(size)) != 0)
        detail::throw_io_error(path, "write", errno);
    return writer;
}

PointCacheWriter::PointCacheWriter(PointCacheWriter&& other) noexcept
    : path_(std::move(other.path_)),
      point_count_(other.point_count_),
      sample_count_(other.sample_count_),
      sample_(std::move(other.sample_)),
      descriptor_(std::exchange(other.descriptor_, -1))
{
}

PointCacheWriter::~PointCacheWriter()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

void PointCacheWriter::open()
{
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0) detail::throw_io_error(path_, "write", errno);
}

void PointCacheWriter::write_at(std::uint64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) detail::throw_io_error(path_, "write", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
}

void PointCacheWriter::write_count()
{
    const auto count = static_cast<std::int32_t>(sample_count_);
    write_at(count_offset, std::as_bytes(std::span<const std::int32_t, 1>(&count, 1)));
}

void PointCacheWriter::add_sample(std::span<const Vec<3>> positions)
{
    PHYXEL_ASSERT(positions.size() == point_count_);
    if (sample_count_ >= largest_count) throw InputError(path_.string() + ": the point cache is full");
    write_at(header_size + std::uint64_t(sample_count_) * sample_size(point_count_),
             encode(positions, sample_));
    ++sample_count_;
    write_count();
}

void PointCacheWriter::sync()
{
    if (::fdatasync(descriptor_) != 0) detail::throw_io_error(path_, "write", errno);
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
            check_point_count(path, point_count);
            file.write(header(point_count, static_cast<float>(frame.number), 1.0f, frames.size()));
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
