// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/io/checkpoint.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace phyxel::checkpoint_test {
namespace {

CheckpointWriter sample_checkpoint()
{
    CheckpointWriter writer;
    writer.add("water/position", std::vector<Vec<3>>{{1, 2, 3}, {4, 5, 1.0 / 3.0}});
    writer.add("water/id", std::vector<std::uint64_t>{7, 0xffffffffffffffffu});
    writer.add("water/strain", std::vector<Mat<2>>{Mat<2>::Identity()});
    writer.add("water/pair", std::vector<std::array<Index, 2>>{{1, 2}, {3, 4}, {5, 6}});
    writer.add("empty", std::vector<float>());
    writer.add_value("time", 0.25);
    writer.add_value("is_asleep", true);
    writer.add_text("scene", "{ \"bodies\": [] }");
    return writer;
}

Buffer<std::byte> to_buffer(std::span<const std::byte> bytes)
{
    Buffer<std::byte> buffer(bytes.size());
    std::copy(bytes.begin(), bytes.end(), buffer.data());
    return buffer;
}

CheckpointReader read(std::span<const std::byte> bytes) { return {to_buffer(bytes), "state"}; }

std::string error_in(std::span<const std::byte> bytes)
{
    return error_of([&] { read(bytes); });
}

/// Gives bytes that were changed on purpose the checksum that fits them.
void seal(std::vector<std::byte>& bytes)
{
    StateHash hash;
    hash.add(std::span<const std::byte>(bytes).first(bytes.size() - 8));
    const std::uint64_t value = hash.value();
    std::memcpy(bytes.data() + bytes.size() - 8, &value, 8);
}

TEST(Checkpoint, sections_are_read_back_bit_for_bit)
{
    const CheckpointReader reader = read(sample_checkpoint().encode());
    EXPECT_EQ(reader.section<Vec<3>>("water/position"), (std::vector<Vec<3>>{{1, 2, 3}, {4, 5, 1.0 / 3.0}}));
    EXPECT_EQ(reader.section<std::uint64_t>("water/id"),
              (std::vector<std::uint64_t>{7, 0xffffffffffffffffu}));
    EXPECT_EQ(reader.section<Mat<2>>("water/strain")[0], Mat<2>::Identity());
    EXPECT_EQ((reader.section<std::array<Index, 2>>("water/pair")[2]), (std::array<Index, 2>{5, 6}));
    EXPECT_TRUE(reader.section<float>("empty").empty());
    EXPECT_EQ(reader.value<double>("time"), 0.25);
    EXPECT_TRUE(reader.value<bool>("is_asleep"));
    EXPECT_EQ(reader.text("scene"), "{ \"bodies\": [] }");
    EXPECT_TRUE(reader.contains("time"));
    EXPECT_FALSE(reader.contains("tim"));
    EXPECT_EQ(reader.names().size(), 8u);
    std::array<std::uint64_t, 2> ids{};
    reader.read_into("water/id", std::span<std::uint64_t>(ids));
    EXPECT_EQ(ids[0], 7u);
}

TEST(Checkpoint, the_same_state_gives_the_same_bytes)
{
    EXPECT_EQ(sample_checkpoint().encode(), sample_checkpoint().encode());
    EXPECT_EQ(read(CheckpointWriter().encode()).names().size(), 0u);
}

TEST(Checkpoint, a_section_of_another_kind_is_refused)
{
    const CheckpointReader reader = read(sample_checkpoint().encode());
    EXPECT_EQ(error_of([&] { reader.section<double>("absent"); }),
              "state: the checkpoint has no section \"absent\"");
    EXPECT_EQ(error_of([&] { reader.section<float>("time"); }),
              "state: the section \"time\" holds float64, not float32");
    EXPECT_EQ(error_of([&] { reader.section<Vec<2>>("water/position"); }),
              "state: the section \"water/position\" holds float64×3, not float64×2");
    EXPECT_EQ(error_of([&] { reader.section<std::int64_t>("water/id"); }),
              "state: the section \"water/id\" holds uint64, not int64");
    EXPECT_EQ(error_of([&] { reader.value<std::uint64_t>("water/id"); }),
              "state: the section \"water/id\" holds 2 items, not 1");
}

TEST(Checkpoint, every_flipped_bit_and_every_missing_byte_shows)
{
    const std::vector<std::byte> bytes = sample_checkpoint().encode();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::vector<std::byte> damaged = bytes;
        for (int bit = 0; bit < 8; ++bit) {
            damaged[i] = bytes[i] ^ static_cast<std::byte>(1 << bit);
            EXPECT_NE(error_in(damaged), "") << "byte " << i << " bit " << bit;
        }
        EXPECT_NE(error_in(std::span(bytes).first(i)), "") << "only " << i << " bytes";
    }
}

TEST(Checkpoint, what_is_wrong_with_a_file_is_one_line)
{
    std::vector<std::byte> bytes = sample_checkpoint().encode();
    const std::string size = std::to_string(bytes.size());
    EXPECT_EQ(error_in(bytes_of("ply\n")), "state: not a checkpoint");
    EXPECT_EQ(error_in(std::span(bytes).first(12)),
              "state: the checkpoint is damaged: it ends in its header");
    EXPECT_EQ(error_in(std::span(bytes).first(100)),
              "state: the checkpoint is damaged: it should have " + size + " bytes and has 100");
    std::vector<std::byte> other = bytes;
    other[60] ^= std::byte(1);
    EXPECT_EQ(error_in(other), "state: the checkpoint is damaged: its checksum is wrong");
    other = bytes;
    other[8] = std::byte(0);
    EXPECT_EQ(error_in(other),
              "state: the checkpoint has the format 0, but this version of Phyxel reads format 2");
}

TEST(Checkpoint, sections_that_make_no_sense_are_refused_even_with_the_right_checksum)
{
    const std::vector<std::byte> bytes = sample_checkpoint().encode();
    // The first section begins behind 24 bytes: length of the name, type, components, 0, size.
    auto changed = [&](std::size_t at, std::uint8_t value) {
        std::vector<std::byte> other = bytes;
        other[at] = static_cast<std::byte>(value);
        seal(other);
        return error_in(other);
    };
    EXPECT_EQ(changed(0, 'p'), "") << "sealing works";
    EXPECT_EQ(changed(28, 10), "state: the section \"water/position\" makes no sense");
    EXPECT_EQ(changed(32, 0), "state: the section \"water/position\" makes no sense");
    EXPECT_EQ(changed(32, 5), "state: the section \"water/position\" makes no sense");
    EXPECT_NE(changed(27, 255), "");
    EXPECT_NE(changed(47, 255), "");
    EXPECT_NE(changed(12, 200), "") << "more sections than there are";
    EXPECT_EQ(changed(12, 7), "state: there is more behind the last section");
}

TEST(Checkpoint, files_are_numbered_and_the_last_two_kept)
{
    const TemporaryFolder folder;
    EXPECT_EQ(checkpoint_file_name(42), "checkpoint_0000000042.phyxel");
    EXPECT_TRUE(find_checkpoints(folder / "absent").empty());
    EXPECT_FALSE(load_newest(folder / "absent").reader.has_value());
    for (const std::uint64_t number : {3u, 100u, 20u, 5u}) {
        CheckpointWriter writer;
        writer.add_value("number", number);
        writer.write(folder / checkpoint_file_name(number));
    }
    for (const char* name :
         {"notes.txt", "checkpoint_7.phyxel", "checkpoint_+000000007.phyxel", "checkpoint_.phyxel"})
        write_file(folder / name, "not ours");
    const std::vector<CheckpointFile> files = find_checkpoints(folder.path());
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[0].number, 3u);
    EXPECT_EQ(files[3].number, 100u);

    const LoadedCheckpoint loaded = load_newest(folder.path());
    ASSERT_TRUE(loaded.reader.has_value());
    EXPECT_EQ(loaded.number, 100u);
    EXPECT_EQ(loaded.reader->value<std::uint64_t>("number"), 100u);
    EXPECT_TRUE(loaded.warnings.empty());
}

TEST(Checkpoint, a_damaged_one_is_named_and_the_one_before_used)
{
    const TemporaryFolder folder;
    for (const std::uint64_t number : {1u, 2u}) {
        CheckpointWriter writer;
        writer.add_value("number", number);
        writer.write(folder / checkpoint_file_name(number));
    }
    const std::filesystem::path newest = folder / checkpoint_file_name(2);
    std::string content = text_of(newest);
    content.back() = static_cast<char>(content.back() ^ 1);
    write_file(newest, content);
    LoadedCheckpoint loaded = load_newest(folder.path());
    ASSERT_TRUE(loaded.reader.has_value());
    EXPECT_EQ(loaded.reader->value<std::uint64_t>("number"), 1u);
    EXPECT_EQ(loaded.path, folder / checkpoint_file_name(1));
    EXPECT_EQ(loaded.warnings, std::vector<std::string>{
                                   newest.string() + ": the checkpoint is damaged: its checksum is wrong"});
    EXPECT_EQ(loaded.refused, std::vector<std::filesystem::path>{newest});

    write_file(folder / checkpoint_file_name(1), "");
    loaded = load_newest(folder.path());
    EXPECT_FALSE(loaded.reader.has_value());
    EXPECT_EQ(loaded.warnings.size(), 2u);
}

TEST(Checkpoint, the_newest_to_which_there_is_no_objection_is_used)
{
    const TemporaryFolder folder;
    for (const std::uint64_t number : {1u, 2u, 3u}) {
        CheckpointWriter writer;
        writer.add_value("number", number);
        writer.write(folder / checkpoint_file_name(number));
    }
    const auto newest_below = [&](std::uint64_t end) {
        return load_newest(folder.path(), [end](const CheckpointReader& reader) {
            return reader.value<std::uint64_t>("number") < end ? std::nullopt
                                                               : std::optional<std::string>("too new");
        });
    };
    EXPECT_EQ(newest_below(4).number, 3u);
    const LoadedCheckpoint first = newest_below(2);
    EXPECT_EQ(first.number, 1u);
    EXPECT_EQ(first.refused.size(), 2u);
    EXPECT_EQ(first.warnings, std::vector<std::string>{"too new"}) << "what is the same is said once";
    EXPECT_FALSE(newest_below(0).reader.has_value());
}

TEST(Checkpoint, large_states_survive_the_disk)
{
    const TemporaryFolder folder;
    Rng rng(5);
    std::vector<Vec<3>> positions(20000);
    for (Vec<3>& x : positions) x = rng.point<3>(-1, 1);
    CheckpointWriter writer;
    writer.add("position", positions);
    writer.write(folder / "state");
    EXPECT_EQ(CheckpointReader(folder / "state").section<Vec<3>>("position"), positions);
}

} // namespace
} // namespace phyxel::checkpoint_test
