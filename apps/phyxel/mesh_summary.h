// SPDX-License-Identifier: MIT
// A surface in a few words: is it closed, how large is it, and what is wrong with it.
#pragma once

#include <phyxel/core/types.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::command {

/// Rows of a title and a text.
std::vector<std::pair<std::string, std::string>>
mesh_summary(const std::vector<Vec<3>>& vertices, const std::vector<std::array<Index, 3>>& triangles);

} // namespace phyxel::command
