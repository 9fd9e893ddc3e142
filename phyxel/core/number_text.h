// SPDX-License-Identifier: MIT
// Numbers as text and back, alike in every locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace phyxel {

/// The shortest text that reads back as the same number: 0.1, 20000, 1e-06. What is not finite is said in
/// words, here and below: not a number, infinity, -infinity.
std::string number_text(double value);

/// The number rounded to `digits` significant digits, for people: 0.30000000000000004 is 0.3.
std::string number_text(double value, int digits);

struct NumberPrefix {
    double value = 0.0;     ///< infinite where a double cannot hold it
    std::size_t length = 0; ///< in bytes; 0 if the text begins with no number
};

/// The number that a text begins with: digits with an optional point and exponent and no sign, such as 12,
/// .5, 2. or 1e-3. What is too small for a double is 0.
NumberPrefix read_number(std::string_view text);

} // namespace phyxel
