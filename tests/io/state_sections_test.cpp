// SPDX-License-Identifier: MIT
#include <phyxel/io/state_sections.h>

#include "core/sample_state.h"

#include <gtest/gtest.h>

namespace phyxel::state_sections_test {
namespace {

CheckpointReader reader_of(const CheckpointWriter& writer)
{
    const std::vector<std::byte> bytes = writer.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    return CheckpointReader(std::move(content), "memory");
}

TEST(StateSections, read_back_what_was_saved_and_leave_what_is_given)
{
    for (const bool has_labels : {true, false}) {
        SampleState saved = sample_state(4);
        if (!has_labels) saved.label.clear();
        CheckpointWriter writer;
        save_state(writer, "sample/", saved);
        const CheckpointReader reader = reader_of(writer);
        const std::vector<std::string> names = {"sample/guess", "sample/label", "sample/position",
                                                "sample/step"};
        EXPECT_EQ(reader.names(), names);
        for (const bool is_counted : {true, false}) {
            SampleState loaded;
            loaded.id = saved.id;
            load_state(reader, "sample/", loaded, is_counted ? std::optional<std::size_t>(4) : std::nullopt);
            EXPECT_EQ(hash_state(loaded), hash_state(saved));
        }
    }
}

TEST(StateSections, refuse_arrays_of_another_length)
{
    const auto load = [](const SampleState& saved, std::optional<std::size_t> count = {}) {
        CheckpointWriter writer;
        save_state(writer, "sample/", saved);
        SampleState loaded;
        load_state(reader_of(writer), "sample/", loaded, count);
    };
    EXPECT_NO_THROW(load(sample_state(4)));
    EXPECT_THROW(load(sample_state(4), 5), InputError);
    EXPECT_THROW(load(sample_state(0), 5), InputError);
    SampleState torn = sample_state(4);
    torn.label.pop_back();
    EXPECT_THROW(load(torn), InputError);
    torn = sample_state(4);
    torn.guess.push_back(1.0f);
    EXPECT_THROW(load(torn), InputError);
}

TEST(StateSections, can_be_saved_role_by_role)
{
    CheckpointWriter parts, whole;
    save_state(parts, "", sample_state(3), {ArrayRole::Always, ArrayRole::Optional});
    save_state(parts, "", sample_state(3), {ArrayRole::Guess});
    save_state(whole, "", sample_state(3));
    EXPECT_EQ(parts.encode(), whole.encode());
}

} // namespace
} // namespace phyxel::state_sections_test
