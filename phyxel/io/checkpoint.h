// SPDX-License-Identifier: MIT
// Checkpoints: the states of all bodies as named arrays, checksummed. A file is either whole and unchanged or
// is not handed out at all.
//
// Layout, little endian: "phyxelCP", format version (uint32), number of sections (uint32), size of the file
// (uint64); then the sections: length of the name (uint32), number type (uint32), numbers per item (uint32),
// 0, size in bytes (uint64), name, payload; at last the hash of everything before it (uint64).
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/core/error.h>
#include <phyxel/core/state_arrays.h>
#include <phyxel/core/types.h>
#include <phyxel/io/bytes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace phyxel {

/// Raised whenever the layout or the meaning of what is saved changes; only this version is read.
inline constexpr std::uint32_t checkpoint_version = 2;

namespace detail {

/// What the numbers in a section are; part of the format.
enum class NumberType : std::uint32_t {
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Float32,
    Float64
};

template <class T>
constexpr NumberType number_type()
{
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8);
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? NumberType::Float32 : NumberType::Float64;
    constexpr std::uint32_t is_unsigned = std::is_unsigned_v<T> ? 1 : 0;
    constexpr std::uint32_t width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<NumberType>(2 * width + is_unsigned);
}

/// Items that can be saved are one number or a fixed count of them. Other structs are not: bytes between
/// their members would be saved too, and nobody says what they are.
struct ItemType {
    NumberType number;
    std::uint32_t components;
    std::size_t size; ///< bytes of an item

    template <class T>
    static constexpr ItemType of()
    {
        using Traits = ItemTraits<T>;
        static_assert(sizeof(T) == Traits::components * sizeof(typename Traits::Number));
        return {number_type<typename Traits::Number>(), Traits::components, sizeof(T)};
    }
};

} // namespace detail

/// Collects sections. Names are up to the caller ("water/position") and must differ.
class CheckpointWriter {
public:
    /// Arrays of numbers, std::array or Vec and Mat of fixed size.
    template <class T>
    void add(std::string_view name, std::span<const T> items)
    {
        add_section(name, detail::ItemType::of<T>(), std::as_bytes(items));
    }

    template <class T>
    void add(std::string_view name, const std::vector<T>& items)
    {
        add(name, std::span<const T>(items));
    }

    template <class T>
    void add_value(std::string_view name, const T& value)
    {
        add(name, std::span<const T>(&value, 1));
    }

    void add_text(std::string_view name, std::string_view text) { add(name, std::span<const char>(text)); }

    /// The content of the file.
    std::vector<std::byte> encode() const;

    /// Whole or not at all; see file.h.
    void write(const std::filesystem::path& path) const;

private:
    void add_section(std::string_view name, const detail::ItemType& type, std::span<const std::byte> payload);

    ByteWriter sections_;
    std::uint32_t section_count_ = 0;
    std::set<std::string, std::less<>> names_;
};

/// A checkpoint whose checksum was right. Everything else that does not fit is an InputError with one line.
class CheckpointReader {
public:
    explicit CheckpointReader(const std::filesystem::path& path);

    /// From memory; `name` is what errors call the file.
    CheckpointReader(Buffer<std::byte> content, std::string name);

    /// What errors call the file.
    const std::string& file_name() const { return name_; }

    bool contains(std::string_view name) const { return sections_.find(name) != sections_.end(); }
    std::vector<std::string> names() const; ///< sorted

    /// What is in a section, for people.
    struct SectionSummary {
        std::string name;
        std::string type; ///< of an item, such as `float64×3`
        std::size_t count = 0;
        std::size_t bytes = 0;
    };
    std::vector<SectionSummary> summaries() const; ///< sorted by name

    /// The items of a section that was written with the same type.
    template <class T>
    std::vector<T> section(std::string_view name) const
    {
        const std::span<const std::byte> payload = find(name, detail::ItemType::of<T>());
        std::vector<T> items(payload.size() / sizeof(T));
        copy(payload, items.data());
        return items;
    }

    /// A section of exactly as many items as there is room for.
    template <class T>
    void read_into(std::string_view name, std::span<T> items) const
    {
        const std::span<const std::byte> payload = find(name, detail::ItemType::of<T>());
        if (payload.size() != items.size_bytes())
            refuse_count(name, payload.size() / sizeof(T), items.size());
        copy(payload, items.data());
    }

    template <class T>
    T value(std::string_view name) const
    {
        T item;
        read_into(name, std::span<T>(&item, 1));
        return item;
    }

    std::string text(std::string_view name) const;

private:
    struct Section {
        std::uint32_t number_type;
        std::uint32_t components;
        std::span<const std::byte> payload;
    };

    void parse();
    std::span<const std::byte> find(std::string_view name, const detail::ItemType& type) const;
    [[noreturn]] void refuse_count(std::string_view name, std::size_t count, std::size_t expected) const;

    template <class T>
    static void copy(std::span<const std::byte> payload, T* items)
    {
        // Eigen's vectors are numbers in a row, but the compiler is not told that they may be copied as such.
        if (!payload.empty()) std::memcpy(static_cast<void*>(items), payload.data(), payload.size());
    }

    std::string name_;
    Buffer<std::byte> content_;
    std::map<std::string, Section, std::less<>> sections_;
};

/// checkpoint_0000000042.phyxel, in a run's folder of checkpoints. The number must grow with time; the count
/// of steps does.
std::string checkpoint_file_name(std::uint64_t number);

struct CheckpointFile {
    std::uint64_t number = 0;
    std::filesystem::path path;
};

/// Those in the folder, the oldest first; none if there is no such folder.
std::vector<CheckpointFile> find_checkpoints(const std::filesystem::path& folder);

struct [[nodiscard]] LoadedCheckpoint {
    std::optional<CheckpointReader> reader; ///< none if no file could be used
    std::uint64_t number = 0;
    std::filesystem::path path;
    std::vector<std::filesystem::path> refused; ///< newer files that could not be used
    std::vector<std::string> warnings;          ///< why, one line for each
};

/// What speaks against going on from a checkpoint, in one line; nothing if it can be used.
using CheckpointObjection = std::function<std::optional<std::string>(const CheckpointReader&)>;

/// The newest checkpoint that is whole and to which there is no objection. The caller should remove the
/// refused ones, or they would count among the newest.
LoadedCheckpoint load_newest(const std::filesystem::path& folder, const CheckpointObjection& objection = {});

} // namespace phyxel
