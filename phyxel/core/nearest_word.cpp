// SPDX-License-Identifier: MIT
#include <phyxel/core/nearest_word.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace phyxel {
namespace {

constexpr std::size_t max_length = 64;
/// Nobody reads more, and a scene may have thousands of names.
constexpr std::size_t most_listed = 40;

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Number of changed, missing, extra and swapped letters between two words of at most `max_length`: the
/// restricted edit distance of Damerau and Levenshtein, row by row.
std::size_t edit_distance(std::string_view a, std::string_view b, bool is_case_significant)
{
    const auto same = [&](std::size_t i, std::size_t j) {
        return is_case_significant ? a[i] == b[j] : to_lower(a[i]) == to_lower(b[j]);
    };
    using Row = std::array<std::size_t, max_length + 1>;
    Row before{}, last{}, row{};
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before = last;
        last = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same(i - 1, j - 1) ? 0 : 1)});
            if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

} // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known)
{
    if (word.size() > max_length) return {};
    std::string_view nearest;
    std::size_t smallest = (word.size() + 1) / 3 + 1;
    std::size_t smallest_exact = max_length + 1;
    for (const std::string_view candidate : known) {
        if (candidate.size() > max_length) continue;
        // So many letters are missing or too many at least.
        const std::size_t lengths =
            std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size());
        if (lengths > smallest) continue;
        const std::size_t distance = edit_distance(word, candidate, false);
        if (distance > smallest) continue;
        const std::size_t exact = edit_distance(word, candidate, true);
        if (distance > smallest || (distance == smallest && (nearest.empty() || exact >= smallest_exact)))
            continue;
        nearest = candidate;
        smallest = distance;
        smallest_exact = exact;
    }
    return nearest;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known)
{
    const std::string_view nearest = nearest_word(word, known);
    return nearest.empty() ? std::string() : "did you mean \"" + std::string(nearest) + "\"? ";
}

std::string word_list(std::span<const std::string_view> words)
{
    std::string list;
    for (const std::string_view word : words.first(std::min(words.size(), most_listed))) {
        if (!list.empty()) list += ", ";
        list += word;
    }
    if (words.size() > most_listed) list += " and " + std::to_string(words.size() - most_listed) + " more";
    return list;
}

} // namespace phyxel
