// SPDX-License-Identifier: MIT
// The reader is written by hand rather than on a JSON library: an event interface tells of a value only after
// the reader has gone past it, and so cannot say in which column it began.
#include <phyxel/scene/document.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/number_text.h>
#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace phyxel {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Number of bytes of the UTF-8 character that the text begins with; 0 if it is none.
std::size_t character_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : std::uint8_t(0);
    };
    const auto follows = [&](std::size_t i, std::uint8_t low = 0x80, std::uint8_t high = 0xbf) {
        return byte(i) >= low && byte(i) <= high;
    };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
    // The narrower ranges exclude overlong forms, surrogates, and what lies beyond U+10FFFF.
    if (first >= 0xe0 && first <= 0xef)
        return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
    if (first >= 0xf0 && first <= 0xf4)
        return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) &&
                       follows(3)
                   ? 4
                   : 0;
    return 0;
}

void append_utf8(std::string& text, std::uint32_t code)
{
    const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xc0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xe0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xf0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

std::string hex_text(std::uint32_t value, int digits)
{
    std::string text;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += "0123456789ABCDEF"[(value >> shift) & 15];
    return text;
}

/// Whether a word is a number as JSON writes it: -12, 0.5, 2e-3.
bool is_json_number(std::string_view word)
{
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t begin = at;
        while (at < word.size() && is_digit(word[at])) ++at;
        return at - begin;
    };
    const auto take = [&](std::string_view any) {
        const bool is_there = at < word.size() && any.find(word[at]) != std::string_view::npos;
        at += is_there;
        return is_there;
    };
    take("-");
    const bool has_leading_zero = at < word.size() && word[at] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (has_leading_zero && whole > 1)) return false;
    if (take(".") && digits() == 0) return false;
    if (take("eE")) {
        take("+-");
        if (digits() == 0) return false;
    }
    return at == word.size();
}

/// The keys of an object that is being read. Ordered and not hashed: whoever knows the hash could choose keys
/// that all come to the same one. Most objects have so few that looking at all of them is fastest.
class KeyTable {
public:
    explicit KeyTable(const std::vector<Node::Member>& members) : members_(members), sorted_(Less{&members})
    {
    }

    /// The member before the last that has the same key as it, or null.
    const Node::Member* find_twin_of_last()
    {
        constexpr std::size_t few = 16;
        const std::size_t last = members_.size() - 1;
        if (last < few) {
            for (std::size_t i = 0; i < last; ++i)
                if (members_[i].key == members_[last].key) return &members_[i];
            return nullptr;
        }
        for (std::size_t i = sorted_.size(); i < last; ++i) sorted_.insert(static_cast<std::uint32_t>(i));
        const auto [twin, is_new] = sorted_.insert(static_cast<std::uint32_t>(last));
        return is_new ? nullptr : &members_[*twin];
    }

private:
    struct Less {
        const std::vector<Node::Member>* members;
        bool operator()(std::uint32_t a, std::uint32_t b) const
        {
            return (*members)[a].key < (*members)[b].key;
        }
    };
    const std::vector<Node::Member>& members_;
    std::set<std::uint32_t, Less> sorted_;
};

class Parser {
public:
    Parser(std::string_view text, const std::string& source, int max_nesting, std::size_t max_values)
        : text_(text),
          source_(std::make_shared<const std::string>(source)),
          max_nesting_(max_nesting),
          max_values_(max_values)
    {
    }

    /// What can be read in spite of it is added to the problems; what cannot is thrown with them.
    Node parse(std::vector<Problem>& problems)
    {
        check_text();
        if (text_.starts_with("\ufeff")) at_ += 3;
        skip_space();
        if (is_end()) fail(here(), "there is nothing in it", "expected an object such as { \"bodies\": [] }");
        Node root = value({"at the beginning"});
        skip_space();
        if (!is_end()) fail(here(), "expected nothing after the end, found " + found());
        std::move(problems_.begin(), problems_.end(), std::back_inserter(problems));
        return root;
    }

private:
    // Text and places.

    bool is_end() const { return at_ >= text_.size(); }
    char next() const { return is_end() ? '\0' : text_[at_]; }
    bool is_next(std::string_view piece) const { return text_.substr(at_).starts_with(piece); }
    Place here() const { return {source_, line_, column_}; }

    void advance()
    {
        if (text_[at_] == '\n') {
            ++line_;
            column_ = 1;
        } else if (!is_continuation(text_[at_])) {
            ++column_;
        }
        ++at_;
    }

    void advance(std::size_t bytes)
    {
        for (std::size_t i = 0; i < bytes; ++i) advance();
    }

    [[noreturn]] void fail(const Place& place, std::string what, std::string allowed = {})
    {
        problems_.push_back({place, {}, std::move(what), std::move(allowed)});
        throw SceneError(std::move(problems_));
    }

    /// Letters, digits and what else numbers are made of, from here on.
    std::string_view word() const
    {
        std::size_t end = at_;
        const auto is_part = [](char c) {
            return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
                   c == '+' || c == '-';
        };
        while (end < text_.size() && is_part(text_[end])) ++end;
        return text_.substr(at_, end - at_);
    }

    /// What stands here, for messages: a word, or one character.
    std::string found() const
    {
        if (is_end()) return "the end of the text";
        if (next() == '"') return "a text";
        if (static_cast<unsigned char>(next()) < 0x20)
            return "U+" + hex_text(static_cast<unsigned>(next()), 4);
        constexpr std::size_t max_length = 40;
        const std::string_view piece = word();
        return in_quotes(piece.empty() ? text_.substr(at_, character_length(text_.substr(at_)))
                                       : piece.substr(0, max_length));
    }

    /// Size and encoding, before anything else, so that the rest can rely on whole characters.
    void check_text()
    {
        if (text_.size() > max_document_size)
            fail({source_}, "larger than 40 MiB", "a scene file is at most 40 MiB");
        while (!is_end()) {
            const std::size_t length = character_length(text_.substr(at_));
            if (length == 0)
                fail(here(), "invalid byte 0x" + hex_text(static_cast<unsigned char>(next()), 2),
                     "expected text in UTF-8");
            advance(length);
        }
        at_ = 0;
        line_ = column_ = 1;
    }

    void skip_space()
    {
        while (!is_end()) {
            if (is_next("//")) {
                while (!is_end() && next() != '\n') advance();
            } else if (is_next("/*")) {
                const Place begin = here();
                advance(2);
                while (!is_end() && !is_next("*/")) advance();
                if (is_end()) fail(begin, "the comment is not closed", "expected */ after it");
                advance(2);
            } else if (std::string_view(" \t\r\n").find(next()) != std::string_view::npos) {
                advance();
            } else {
                return;
            }
        }
    }

    /// For messages, where something is expected: made into a text only if there is a message.
    struct Where {
        const char* words;
        const std::string* key = nullptr; ///< that follows

        std::string text() const { return key == nullptr ? words : words + (' ' + short_text(*key)); }
    };

    // Values. `where` says what a value is expected for.

    Node value(const Where& where)
    {
        const Place place = here();
        if (++value_count_ > max_values_)
            fail(place, "more than " + std::to_string(max_values_) + " values",
                 "put large data into files of their own");
        Node node;
        if (next() == '{')
            node = object();
        else if (next() == '[')
            node = list();
        else if (next() == '"')
            node = text();
        else
            node = word_value(where);
        node.set_place(place);
        return node;
    }

    void enter(const Place& place)
    {
        if (++nesting_ > max_nesting_)
            fail(place, "nested too deeply",
                 "at most " + std::to_string(max_nesting_) + " levels are allowed");
        advance();
        skip_space();
    }

    Node list()
    {
        enter(here());
        std::vector<Node> items;
        if (next() != ']') {
            items.push_back(value({"in the list"}));
            while (has_another(']', {"in the list"})) items.push_back(value({after_comma}));
        }
        advance();
        --nesting_;
        return Node::list(std::move(items));
    }

    Node object()
    {
        enter(here());
        std::vector<Node::Member> members;
        KeyTable keys(members);
        if (next() != '}') {
            do {
                members.push_back(member());
                const Node::Member& last = members.back();
                last_key_ = last.key;
                if (const Node::Member* twin = keys.find_twin_of_last()) {
                    problems_.push_back(
                        {last.key_place,
                         {},
                         "duplicate key " + short_text(last.key),
                         "it was first given in line " + std::to_string(twin->key_place.line)});
                    if (problems_.size() >= max_problems)
                        fail(here(), "so much is wrong that the rest was not read");
                    members.pop_back();
                }
            } while (has_another('}', {"after the value of", &last_key_}));
        }
        advance();
        --nesting_;
        return Node::object(std::move(members));
    }

    Node::Member member()
    {
        const Place place = here();
        if (next() == '}') fail(place, "expected a key after \",\", found \"}\"", "remove the last comma");
        if (next() != '"') fail(place, "expected a key in double quotes, found " + found());
        std::string key = text();
        skip_space();
        if (next() != ':')
            fail(here(), "expected \":\" after the key " + short_text(key) + ", found " + found());
        advance();
        skip_space();
        Node node = value({"for the key", &key});
        return {std::move(key), std::move(node), place};
    }

    /// Takes the comma after an item; false at the closing bracket.
    bool has_another(char close, const Where& where)
    {
        skip_space();
        if (next() == close) return false;
        if (next() != ',')
            fail(here(),
                 "expected \",\" or " + in_quotes({&close, 1}) + ' ' + where.text() + ", found " + found());
        advance();
        skip_space();
        return true;
    }

    Node word_value(const Where& where)
    {
        const Place place = here();
        const std::string piece(word());
        if (piece == "true" || piece == "false") {
            advance(piece.size());
            return {piece == "true"};
        }
        if (piece == "null") {
            advance(piece.size());
            return {};
        }
        if (is_json_number(piece)) {
            const bool is_negative = piece.front() == '-';
            const double size = read_number(std::string_view(piece).substr(is_negative)).value;
            if (std::isinf(size)) fail(place, piece + " is too large", "the largest number is about 1.8e308");
            advance(piece.size());
            return {is_negative ? -size : size};
        }
        if (!piece.empty() && std::string_view("+-.0123456789").find(piece[0]) != std::string_view::npos)
            fail(place, in_quotes(piece) + " is not a number", "numbers look like -1, 0.5 or 2e-3");
        if (piece == "NaN" || piece == "nan" || piece == "Infinity" || piece == "inf")
            fail(place, in_quotes(piece) + " is not a number", "numbers are finite");

        const bool is_bare_text = !piece.empty() || next() == '\'';
        const bool is_closing = next() == ']' || next() == '}';
        fail(place, "expected a value " + where.text() + ", found " + found(),
             is_bare_text                                                 ? "texts stand in double quotes"
             : is_closing && std::string_view(where.words) == after_comma ? "remove the last comma"
                                                                          : "");
    }

    // Texts.

    std::string text()
    {
        const Place begin = here();
        advance();
        std::string content;
        while (next() != '"' || is_end()) {
            if (is_end() || next() == '\n')
                fail(begin, "the text is not closed", "expected \" before the end of the line");
            if (static_cast<unsigned char>(next()) < 0x20) {
                const std::string code = hex_text(static_cast<unsigned>(next()), 4);
                fail(here(), "control character U+" + code + " in a text", "write \\u" + code + " instead");
            }
            if (next() == '\\') {
                escape(content);
            } else {
                content += next();
                advance();
            }
        }
        advance();
        return content;
    }

    void escape(std::string& content)
    {
        const Place begin = here();
        advance();
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (const std::size_t k = letters.find(next()); !is_end() && k != std::string_view::npos) {
            content += meanings[k];
            advance();
        } else if (next() == 'u') {
            append_utf8(content, unicode_escape(begin));
        } else {
            fail(begin, "unknown escape in a text",
                 "allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits");
        }
    }

    std::uint32_t unicode_escape(const Place& begin)
    {
        const std::uint32_t code = hex_digits(begin);
        if (code == 0) fail(begin, "\\u0000 in a text", "texts hold no U+0000");
        if (code < 0xd800 || code > 0xdfff) return code;
        if (code <= 0xdbff && is_next("\\u")) {
            advance();
            const std::uint32_t low = hex_digits(begin);
            if (low >= 0xdc00 && low <= 0xdfff) return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        fail(begin, "half a surrogate pair in a text", "expected two such as \\uD83D\\uDE00");
    }

    std::uint32_t hex_digits(const Place& begin)
    {
        advance();
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = next();
            if (is_digit(c))
                code = 16 * code + static_cast<std::uint32_t>(c - '0');
            else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
                code = 16 * code + static_cast<std::uint32_t>((c | 0x20) - 'a' + 10);
            else
                fail(begin, "incomplete \\u in a text", "expected four hexadecimal digits after it");
            advance();
        }
        return code;
    }

    static constexpr const char* after_comma = "after \",\"";

    std::string_view text_;
    std::shared_ptr<const std::string> source_;
    std::size_t at_ = 0;
    int line_ = 1;
    int column_ = 1;
    int max_nesting_;
    int nesting_ = 0;
    std::size_t max_values_;
    std::size_t value_count_ = 0;
    std::string last_key_;
    std::vector<Problem> problems_;
};

void append_quoted(std::string& out, std::string_view text)
{
    out += '"';
    for (const char c : text) {
        constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
        constexpr std::string_view letters = "\"\\bfnrt";
        if (const std::size_t k = meanings.find(c); k != std::string_view::npos) {
            out += '\\';
            out += letters[k];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u" + hex_text(static_cast<unsigned>(c), 4);
        } else {
            out += c;
        }
    }
    out += '"';
}

/// Writes a node on one line; true if `out` stays within `limit` bytes. Gives up where it does not.
bool append_line(std::string& out, const Node& node, std::size_t limit)
{
    switch (node.kind()) {
    case Node::Kind::Null:
        out += "null";
        break;
    case Node::Kind::Bool:
        out += node.boolean() ? "true" : "false";
        break;
    case Node::Kind::Number:
        // JSON has no other word for what is not a number.
        out += std::isfinite(node.number()) ? number_text(node.number()) : "null";
        break;
    case Node::Kind::Text:
        append_quoted(out, node.text());
        break;
    case Node::Kind::List: {
        out += '[';
        bool is_first = true;
        for (const Node& item : node.items()) {
            if (!std::exchange(is_first, false)) out += ", ";
            if (!append_line(out, item, limit)) return false;
        }
        out += ']';
        break;
    }
    case Node::Kind::Object: {
        out += node.members().empty() ? "{" : "{ ";
        bool is_first = true;
        for (const Node::Member& member : node.members()) {
            if (!std::exchange(is_first, false)) out += ", ";
            append_quoted(out, member.key);
            out += ": ";
            if (!append_line(out, member.value, limit)) return false;
        }
        out += node.members().empty() ? "}" : " }";
        break;
    }
    }
    return out.size() <= limit;
}

/// Writes a node at a place `column` bytes into its line, with its closing bracket indented by `indent`.
void append_text(std::string& out, const Node& node, std::size_t column, std::size_t indent)
{
    constexpr std::size_t max_columns = 100;
    const bool is_root = column == 0;
    const bool has_parts =
        (node.is_list() && !node.items().empty()) || (node.is_object() && !node.members().empty());
    // One more column for the comma that may follow.
    std::string line;
    if (!has_parts ||
        (!is_root && column < max_columns && append_line(line, node, max_columns - column - 1))) {
        if (!has_parts) append_line(line, node, std::string::npos);
        out += line;
        return;
    }
    const std::string spaces(indent + 2, ' ');
    bool is_first = true;
    if (node.is_list()) {
        out += '[';
        for (const Node& item : node.items()) {
            out += std::exchange(is_first, false) ? "\n" : ",\n";
            out += spaces;
            append_text(out, item, spaces.size(), spaces.size());
        }
        out += '\n' + std::string(indent, ' ') + ']';
    } else {
        out += '{';
        for (const Node::Member& member : node.members()) {
            out += std::exchange(is_first, false) ? "\n" : ",\n";
            out += spaces;
            const std::size_t begin = out.size();
            append_quoted(out, member.key);
            out += ": ";
            append_text(out, member.value, spaces.size() + out.size() - begin, spaces.size());
        }
        out += '\n' + std::string(indent, ' ') + '}';
    }
}

} // namespace

Node parse_document(std::string_view text, const std::string& source, int max_nesting, std::size_t max_values)
{
    std::vector<Problem> problems;
    Node root = Parser(text, source, max_nesting, max_values).parse(problems);
    if (!problems.empty()) throw SceneError(std::move(problems));
    return root;
}

Node parse_document(std::string_view text, const std::string& source, std::vector<Problem>& problems)
{
    return Parser(text, source, max_document_nesting, max_document_values).parse(problems);
}

std::string read_document_text(const std::filesystem::path& file)
{
    const Place place{std::make_shared<const std::string>(file.string())};
    std::error_code error;
    if (!std::filesystem::exists(file, error)) throw SceneError(place, "there is no such file");
    if (std::filesystem::is_directory(file, error))
        throw SceneError(place, "is a folder", "expected a scene file");
    // Nobody may ever write to a pipe that we would wait for.
    if (!std::filesystem::is_regular_file(file, error))
        throw SceneError(place, "is not a regular file", "expected a scene file");
    std::ifstream in(file, std::ios::binary);
    // One byte more than allowed tells a file that is too large, also where it has no size.
    std::string text;
    std::array<char, 65536> piece;
    while (in && text.size() <= max_document_size) {
        in.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (!in.is_open() || in.bad()) throw SceneError(place, "cannot be read");
    return text;
}

Node read_document(const std::filesystem::path& file, int max_nesting)
{
    return parse_document(read_document_text(file), file.string(), max_nesting);
}

bool is_utf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string to_text(const Node& node)
{
    std::string text;
    append_text(text, node, 0, 0);
    text += '\n';
    return text;
}

std::string to_line(const Node& node)
{
    std::string line;
    append_line(line, node, std::string::npos);
    return line;
}

} // namespace phyxel
