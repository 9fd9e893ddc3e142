// SPDX-License-Identifier: MIT
#include "console.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace phyxel::command {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void say(const std::string& line) { std::fprintf(stderr, "phyxel: %s\n", line.c_str()); }

void warn(const std::string& line) { say("warning: " + line); }

bool can_redraw()
{
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string shell_word(const std::string& word)
{
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

} // namespace phyxel::command
