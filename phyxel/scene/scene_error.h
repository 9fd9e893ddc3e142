// SPDX-License-Identifier: MIT
// What is wrong with a scene: all problems at once, each with its place, path, reason and remedy.
#pragma once

#include <phyxel/core/error.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// Where something was written: a line and column of a file, or something without lines such as
/// the assignment `spacing=4`.
struct Place {
    std::shared_ptr<const std::string> source = nullptr; ///< none for values made in code
    int line = 0;                                        ///< from 1; 0 if there are no lines
    int column = 0;                                      ///< in characters (code points), from 1
};

struct Problem {
    Place place;
    std::string path;    ///< such as `bodies[0].material`; empty for the whole
    std::string what;    ///< what is wrong
    std::string allowed; ///< what would be right; may be empty
};

/// Whoever collects problems gives up after so many: nobody reads more, and a hostile text may have millions.
inline constexpr std::size_t max_problems = 1000;

/// A word of the user's in a message.
inline std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

/// `dam_break.json:14:7: bodies[0].material: what is wrong, what is allowed`
std::string to_text(const Problem& problem);

/// The user's scene cannot be worked with. The message has one line for each problem, in the order of their
/// places; beyond the first hundred they are only counted.
class SceneError : public InputError {
public:
    explicit SceneError(std::vector<Problem> problems);
    SceneError(const Place& place, std::string what, std::string allowed = {});

    const std::vector<Problem>& problems() const { return problems_; }

private:
    std::vector<Problem> problems_;
};

} // namespace phyxel
