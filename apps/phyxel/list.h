// SPDX-License-Identifier: MIT
// phyxel list: the materials, shapes, kernels and examples that there are.
#pragma once

#include <string>

namespace phyxel::command {

struct ListCommand {
    std::string what; ///< materials, shapes, kernels or examples
};

/// Throws InputError for any other word.
void print_list(const ListCommand& command);

} // namespace phyxel::command
