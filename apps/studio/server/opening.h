// SPDX-License-Identifier: MIT
// From what somebody asks for to something that can be shown.
#pragma once

#include "show.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace phyxel::studio {

/// What is to be shown, with names already made into paths that may be read.
struct OpenRequest {
    std::string name;           ///< what it is called
    std::filesystem::path path; ///< of a scene file or the folder of a run; empty: the text
    std::string text;
    std::filesystem::path folder; ///< of the files that a text names; empty: that of the present scene
    bool is_run = false;
    std::filesystem::path checkpoint = {}; ///< to begin from
    std::vector<std::string> assignments = {};
    bool may_be_coarser = false; ///< if it would crawl otherwise
};

/// The text and the folder of its scene, where a file or a checkpoint has them.
void read_text(OpenRequest& request);

/// What is asked for, made ready to be shown; nothing if it was stopped. Changes the request where it begins
/// coarser. Files that a scene names must lie below one of the roots.
std::unique_ptr<Show> make_show(OpenRequest& request, const std::vector<std::filesystem::path>& roots,
                                const std::stop_token& stop);

} // namespace phyxel::studio
