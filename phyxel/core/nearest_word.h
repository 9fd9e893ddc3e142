// SPDX-License-Identifier: MIT
// The known word that somebody most likely meant, for error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace phyxel {

/// The word of `known` that is fewest letters (changed, missing, too many, swapped) away from `word`, upper
/// and lower case being alike; the first of several. Empty if none is near: about a third of the letters may
/// be wrong.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

/// `did you mean "sin"? ` with a space after it, or nothing.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// `a, b, c`, and of very many words how many more there are.
std::string word_list(std::span<const std::string_view> words);

} // namespace phyxel
