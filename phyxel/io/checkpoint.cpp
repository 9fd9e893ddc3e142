// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;
using detail::in_quotes;

constexpr std::string_view magic = "phyxelCP";
constexpr std::size_t header_size = 8 + 4 + 4 + 8;
constexpr std::size_t hash_size = 8;

constexpr std::string_view file_prefix = "checkpoint_";
constexpr std::string_view file_suffix = ".phyxel";

std::uint64_t hash_of(std::span<const std::byte> bytes)
{
    StateHash hash;
    hash.add(bytes);
    return hash.value();
}

std::size_t size_of(std::uint32_t number_type)
{
    using detail::NumberType;
    if (number_type == std::uint32_t(NumberType::Float32)) return 4;
    if (number_type == std::uint32_t(NumberType::Float64)) return 8;
    return std::size_t(1) << (number_type / 2);
}

std::string name_of(std::uint32_t number_type, std::uint32_t components)
{
    constexpr std::array<std::string_view, 10> names = {"int8",   "uint8", "int16",  "uint16",  "int32",
                                                        "uint32", "int64", "uint64", "float32", "float64"};
    std::string name(names[number_type]);
    if (components != 1) name += "×" + std::to_string(components);
    return name;
}

} // namespace

void CheckpointWriter::add_section(std::string_view name, const detail::ItemType& type,
                                   std::span<const std::byte> payload)
{
    const bool is_new = names_.emplace(name).second;
    PHYXEL_ASSERT(is_new);
    static_cast<void>(is_new);
    sections_.put(static_cast<std::uint32_t>(name.size()));
    sections_.put(static_cast<std::uint32_t>(type.number));
    sections_.put(type.components);
    sections_.put(std::uint32_t(0));
    sections_.put(static_cast<std::uint64_t>(payload.size()));
    sections_.put(name);
    sections_.put(payload);
    ++section_count_;
}

std::vector<std::byte> CheckpointWriter::encode() const
{
    const std::uint64_t size = header_size + sections_.size() + hash_size;
    ByteWriter file;
    file.reserve(size);
    file.put(magic);
    file.put(checkpoint_version);
    file.put(section_count_);
    file.put(size);
    file.put(sections_.bytes());
    file.put(hash_of(file.bytes()));
    return std::move(file).take();
}

void CheckpointWriter::write(const fs::path& path) const { write_file(path, encode()); }

CheckpointReader::CheckpointReader(const fs::path& path)
    : name_(path.string()),
      content_(read_file(path, std::numeric_limits<std::uint64_t>::max() - 1))
{
    parse();
}

CheckpointReader::CheckpointReader(Buffer<std::byte> content, std::string name)
    : name_(std::move(name)),
      content_(std::move(content))
{
    parse();
}

void CheckpointReader::parse()
{
    const std::span<const std::byte> bytes = std::as_const(content_).span();
    auto fail = [&](const std::string& what) { throw InputError(name_ + ": " + what); };
    if (!detail::as_text(bytes).starts_with(magic)) fail("not a checkpoint");
    if (bytes.size() < header_size + hash_size) fail("the checkpoint is damaged: it ends in its header");
    ByteReader reader(bytes, name_);
    reader.take(magic.size());
    const auto version = reader.take<std::uint32_t>();
    if (version != checkpoint_version)
        fail("the checkpoint has the format " + std::to_string(version) +
             ", but this version of Phyxel reads format " + std::to_string(checkpoint_version));
    const auto section_count = reader.take<std::uint32_t>();
    const auto size = reader.take<std::uint64_t>();
    if (size != bytes.size())
        fail("the checkpoint is damaged: it should have " + std::to_string(size) + " bytes and has " +
             std::to_string(bytes.size()));
    ByteReader trailer(bytes.last(hash_size), name_);
    if (trailer.take<std::uint64_t>() != hash_of(bytes.first(bytes.size() - hash_size)))
        fail("the checkpoint is damaged: its checksum is wrong");

    // From here on only a writer of something else could surprise us; check all the same.
    ByteReader sections(bytes.first(bytes.size() - hash_size), name_);
    sections.take(header_size);
    for (std::uint32_t i = 0; i < section_count; ++i) {
        const auto name_size = sections.take<std::uint32_t>();
        Section section{};
        section.number_type = sections.take<std::uint32_t>();
        section.components = sections.take<std::uint32_t>();
        sections.take<std::uint32_t>();
        const auto payload_size = sections.take<std::uint64_t>();
        const std::string name(detail::as_text(sections.take(name_size)));
        if (section.number_type > std::uint32_t(detail::NumberType::Float64) || section.components == 0 ||
            payload_size % (std::uint64_t(section.components) * size_of(section.number_type)) != 0)
            fail("the section " + in_quotes(name) + " makes no sense");
        section.payload = sections.take(payload_size);
        if (!sections_.try_emplace(name, section).second)
            fail("the section " + in_quotes(name) + " appears twice");
    }
    if (sections.remaining() > 0) fail("there is more behind the last section");
}

std::vector<std::string> CheckpointReader::names() const
{
    std::vector<std::string> names;
    for (const auto& [name, section] : sections_) names.push_back(name);
    return names;
}

std::vector<CheckpointReader::SectionSummary> CheckpointReader::summaries() const
{
    std::vector<SectionSummary> summaries;
    for (const auto& [name, section] : sections_) {
        const std::size_t item_size = size_of(section.number_type) * section.components;
        summaries.push_back({name, name_of(section.number_type, section.components),
                             section.payload.size() / item_size, section.payload.size()});
    }
    return summaries;
}

std::span<const std::byte> CheckpointReader::find(std::string_view name, const detail::ItemType& type) const
{
    const auto found = sections_.find(name);
    if (found == sections_.end())
        throw InputError(name_ + ": the checkpoint has no section " + in_quotes(name));
    const Section& section = found->second;
    const auto number = static_cast<std::uint32_t>(type.number);
    if (section.number_type != number || section.components != type.components)
        throw InputError(name_ + ": the section " + in_quotes(name) + " holds " +
                         name_of(section.number_type, section.components) + ", not " +
                         name_of(number, type.components));
    return section.payload;
}

void CheckpointReader::refuse_count(std::string_view name, std::size_t count, std::size_t expected) const
{
    throw InputError(name_ + ": the section " + in_quotes(name) + " holds " +
                     detail::counted(count, "item", "items") + ", not " + std::to_string(expected));
}

std::string CheckpointReader::text(std::string_view name) const
{
    return std::string(detail::as_text(find(name, detail::ItemType::of<char>())));
}

std::string checkpoint_file_name(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    if (digits.size() < 10) digits.insert(0, 10 - digits.size(), '0');
    return std::string(file_prefix) + digits + std::string(file_suffix);
}

std::vector<CheckpointFile> find_checkpoints(const fs::path& folder)
{
    std::vector<CheckpointFile> files;
    std::error_code error;
    if (!fs::exists(folder, error)) return files;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(file_prefix) || !name.ends_with(file_suffix)) continue;
        if (name.size() < file_prefix.size() + file_suffix.size()) continue;
        const std::string_view digits = std::string_view(name).substr(
            file_prefix.size(), name.size() - file_prefix.size() - file_suffix.size());
        const std::optional<std::int64_t> number = detail::parse_integer(digits);
        if (!number || *number < 0) continue;
        // Only names that we would have given.
        if (checkpoint_file_name(static_cast<std::uint64_t>(*number)) != name) continue;
        files.push_back({static_cast<std::uint64_t>(*number), entry->path()});
    }
    if (error) detail::throw_io_error(folder, "read", error.value());
    std::sort(files.begin(), files.end(),
              [](const CheckpointFile& a, const CheckpointFile& b) { return a.number < b.number; });
    return files;
}

LoadedCheckpoint load_newest(const fs::path& folder, const CheckpointObjection& objection)
{
    LoadedCheckpoint result;
    std::vector<CheckpointFile> files = find_checkpoints(folder);
    std::reverse(files.begin(), files.end());
    for (const CheckpointFile& file : files) {
        std::optional<std::string> problem;
        try {
            result.reader.emplace(file.path);
        } catch (const InputError& error) {
            problem = error.what();
        }
        if (!problem && objection) problem = objection(*result.reader);
        if (!problem) {
            result.number = file.number;
            result.path = file.path;
            return result;
        }
        result.refused.push_back(file.path);
        // A file that is missing speaks against all of them.
        if (std::find(result.warnings.begin(), result.warnings.end(), *problem) == result.warnings.end())
            result.warnings.push_back(std::move(*problem));
    }
    result.reader.reset();
    return result;
}

} // namespace phyxel
