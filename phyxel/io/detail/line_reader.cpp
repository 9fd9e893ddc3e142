// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/detail/line_reader.h>
#include <phyxel/io/detail/text.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace phyxel::detail {

LineReader::LineReader(std::string_view text, std::string name) : text_(text), name_(std::move(name))
{
    // The byte order mark that some editors put in front.
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
}

bool LineReader::next(std::string_view& line)
{
    if (position_ >= text_.size()) return false;
    line_ = next_line_;
    line = take_line();
    if (line.ends_with('\\')) {
        joined_.clear();
        while (line.ends_with('\\') && position_ < text_.size()) {
            joined_.append(line.substr(0, line.size() - 1)).push_back(' ');
            line = take_line();
        }
        joined_.append(line);
        line = joined_;
    }
    line = line.substr(0, line.find('#'));
    return true;
}

void LineReader::fail_at(std::size_t line, const std::string& what) const
{
    throw InputError(name_ + ":" + std::to_string(line) + ": " + what);
}

std::string_view LineReader::take_line()
{
    const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
    const std::string_view line = text_.substr(position_, end - position_);
    position_ = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
    ++next_line_;
    return line;
}

Vec<3> take_vector(std::string_view& words, const LineReader& lines)
{
    Vec<3> x;
    for (double& coordinate : x) {
        const std::string_view word = take_word(words);
        if (word.empty()) lines.fail("three numbers expected");
        const std::optional<double> value = parse_number(word);
        if (!value) lines.fail(in_quotes(word) + " is not a number");
        coordinate = *value;
    }
    return x;
}

} // namespace phyxel::detail
