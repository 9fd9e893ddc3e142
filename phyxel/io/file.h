// SPDX-License-Identifier: MIT
// Files that appear whole or not at all, whatever happens while they are written: the content goes to a
// temporary file beside the target, reaches the disk, and only then takes the target's name.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/core/error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace phyxel {

/// The system refused to read or write something: `path: cannot write: the disk is full`. What is wrong with
/// the content of a file is a plain InputError.
class IoError : public InputError {
public:
    IoError(std::filesystem::path path, const std::string& what, std::error_code code);

    const std::filesystem::path& path() const { return path_; }
    const std::error_code& code() const { return code_; } ///< no error where a rule of ours refused

private:
    std::filesystem::path path_;
    std::error_code code_;
};

/// Writes a file piece by piece. It appears with `commit`; without it nothing changes. What a program that
/// was killed left half written in the folder is removed when a program writes there for the first time.
class FileWriter {
public:
    /// Refuses targets that exist and are read-only, folders or devices. A link is followed.
    explicit FileWriter(std::filesystem::path path);
    ~FileWriter();
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// The file is on the disk under its name when this returns.
    void commit();

private:
    void discard() noexcept;

    std::filesystem::path path_;
    std::filesystem::path partial_;
    int descriptor_ = -1;
};

void write_file(const std::filesystem::path& path, std::span<const std::byte> content);
void write_file(const std::filesystem::path& path, std::string_view content);

/// What users give us to read may be this large.
inline constexpr std::uint64_t max_input_size = std::uint64_t(1) << 30;

/// The whole content. Folders, devices and files above `max_size` are refused before anything is read.
Buffer<std::byte> read_file(const std::filesystem::path& path, std::uint64_t max_size = max_input_size);

/// What tells whether a file is still what was written. Not cryptographic: against damage, not against
/// malice.
struct FileSum {
    std::uint64_t size = 0; ///< [bytes]
    std::uint64_t hash = 0; ///< a StateHash of the content

    bool operator==(const FileSum&) const = default;
};

FileSum sum_of(std::span<const std::byte> content);

/// What is wrong with a file that should have this sum, in one line that begins with its path; nothing if it
/// has. Throws IoError if it may not be read.
std::optional<std::string> damage_of(const std::filesystem::path& path, const FileSum& sum);

/// From the root, with links followed as far as there is something.
std::filesystem::path whole_path(const std::filesystem::path& path);

/// Creates the folder and those above it; one that exists already is fine.
void create_folder(const std::filesystem::path& path);

/// Removes the file if it exists.
void remove_file(const std::filesystem::path& path);

/// Makes sure that names which were created, changed or removed in the folder outlive a power cut.
void sync_folder(const std::filesystem::path& folder);

/// Whether this is what a FileWriter calls its temporary files.
bool is_partial_file_name(std::string_view name);

/// Removes the temporary files that a writer left in the folder when it was killed, and returns their names.
/// Only the one program that writes into the folder may call this.
std::vector<std::string> remove_partial_files(const std::filesystem::path& folder);

/// The same, but only what no program writes any more, so that several may write into the folder, from
/// several containers or machines too.
std::vector<std::string> remove_abandoned_files(const std::filesystem::path& folder);

namespace detail {

/// `path: cannot ACTION: reason`, with the reason that `code` (an errno) stands for.
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action, int code);

} // namespace detail
} // namespace phyxel
