// SPDX-License-Identifier: MIT
// What the command says and where: results go to stdout, everything else to stderr, one line each.
#pragma once

#include <string>

namespace phyxel::command {

/// Scripts rely on these.
enum ExitCode { Done = 0, Failed = 1, BadInput = 2, Limited = 3, Interrupted = 130 };

/// To stdout, as it is.
void print(const std::string& text);

/// `phyxel: line` to stderr.
void say(const std::string& line);

/// `phyxel: warning: line` to stderr.
void warn(const std::string& line);

/// Whether stderr is a terminal on which a line can be drawn anew.
bool can_redraw();

/// The word as it is typed into a shell: in quotes where it would otherwise be taken apart.
std::string shell_word(const std::string& word);

} // namespace phyxel::command
