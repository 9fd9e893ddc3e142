// SPDX-License-Identifier: MIT
// Failures that the caller's input causes. Our own bugs are asserts (assert.h); what the numerics could not
// do is a value in a report.
#pragma once

#include <stdexcept>
#include <string>

namespace phyxel {

/// Input that cannot be worked with: says what is wrong and what would be allowed.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace phyxel
