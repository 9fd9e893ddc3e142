// SPDX-License-Identifier: MIT
// Fuzz target for the checkpoint reader. No mutation hits the right checksum, so unless the first byte is odd
// the input gets the frame of a checkpoint around it: magic, version, size and hash.

#include <phyxel/core/state_hash.h>
#include <phyxel/io/checkpoint.h>

#include "reader_support.h"

#include <algorithm>
#include <array>
#include <optional>

namespace phyxel {
namespace {

Buffer<std::byte> framed(std::span<const std::byte> input)
{
    ByteWriter file;
    file.put("phyxelCP");
    file.put(checkpoint_version);
    const std::size_t count_size = std::min<std::size_t>(input.size(), 4);
    std::array<std::byte, 4> count{};
    std::copy_n(input.begin(), count_size, count.begin());
    file.put(std::span<const std::byte>(count));
    const std::span<const std::byte> sections = input.subspan(count_size);
    file.put(std::uint64_t(24 + sections.size() + 8));
    file.put(sections);
    StateHash hash;
    hash.add(file.bytes());
    file.put(hash.value());
    Buffer<std::byte> content(file.size());
    std::copy(file.bytes().begin(), file.bytes().end(), content.data());
    return content;
}

Buffer<std::byte> copied(std::span<const std::byte> input)
{
    Buffer<std::byte> content(input.size());
    std::copy(input.begin(), input.end(), content.data());
    return content;
}

/// A section is handed out as exactly one type.
template <class T>
int is_readable(const CheckpointReader& reader, const std::string& name, std::size_t& size)
{
    std::vector<T> items;
    if (!is_accepted([&] { items = reader.section<T>(name); })) return 0;
    size = items.size() * sizeof(T);
    std::vector<T> again(items.size());
    reader.read_into(name, std::span<T>(again));
    return 1;
}

void check(std::span<const std::byte> input)
{
    if (input.empty()) return;
    const bool is_raw = (input[0] & std::byte(1)) != std::byte(0);
    input = input.subspan(1);
    std::optional<CheckpointReader> reader;
    if (!is_accepted([&] { reader.emplace(is_raw ? copied(input) : framed(input), "input"); })) return;
    std::size_t total = 0;
    for (const std::string& name : reader->names()) {
        require(reader->contains(name));
        std::size_t size = 0;
        const int types =
            is_readable<double>(*reader, name, size) + is_readable<float>(*reader, name, size) +
            is_readable<Vec<3>>(*reader, name, size) + is_readable<Mat<3>>(*reader, name, size) +
            is_readable<char>(*reader, name, size) + is_readable<std::uint8_t>(*reader, name, size) +
            is_readable<std::int32_t>(*reader, name, size) + is_readable<std::uint64_t>(*reader, name, size) +
            is_readable<std::array<Index, 2>>(*reader, name, size);
        require(types <= 1);
        total += size;
    }
    require(total <= input.size());
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
