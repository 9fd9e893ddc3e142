// SPDX-License-Identifier: MIT
// Whether a text is well-formed XML, as far as our SVG files go: elements, attributes in double quotes, the
// five entities. Says what is wrong otherwise.
#pragma once

#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

class XmlCheck {
public:
    explicit XmlCheck(std::string_view text) : text_(text) {}

    /// Empty if nothing is wrong.
    std::string problem()
    {
        for (const char c : text_)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return "control character";
        while (at_ < text_.size() && problem_.empty()) {
            if (text_[at_] == '<')
                read_tag();
            else
                read_text();
        }
        if (problem_.empty() && !open_.empty()) problem_ = "<" + open_.back() + "> is not closed";
        if (problem_.empty() && root_count_ != 1) problem_ = "there must be one root";
        return problem_;
    }

private:
    bool take(std::string_view word)
    {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    std::string read_name()
    {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-'))
            ++at_;
        if (at_ == begin) problem_ = "a name is missing";
        return std::string(text_.substr(begin, at_ - begin));
    }

    void read_tag()
    {
        if (take("</")) {
            const std::string name = read_name();
            if (open_.empty() || open_.back() != name || !take(">"))
                problem_ = "</" + name + "> closes nothing";
            if (problem_.empty()) open_.pop_back();
            return;
        }
        ++at_;
        const std::string name = read_name();
        if (open_.empty()) ++root_count_;
        std::set<std::string> attributes;
        while (problem_.empty()) {
            if (take("/>")) return;
            if (take(">")) {
                open_.push_back(name);
                return;
            }
            if (!take(" ")) {
                problem_ = "<" + name + " is not finished";
                return;
            }
            const std::string attribute = read_name();
            if (!attributes.insert(attribute).second) problem_ = attribute + " is given twice";
            if (!take("=\"")) problem_ = attribute + " has no value";
            while (problem_.empty() && at_ < text_.size() && text_[at_] != '"') read_character();
            if (!take("\"")) problem_ = attribute + " is not closed";
        }
    }

    void read_text()
    {
        if (open_.empty() && text_[at_] != '\n') problem_ = "text outside of the root";
        read_character();
    }

    void read_character()
    {
        if (text_[at_] == '<') problem_ = "< in a value";
        if (text_[at_] != '&') {
            ++at_;
            return;
        }
        for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
            if (take(entity)) return;
        problem_ = "& that begins no entity";
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> open_;
    int root_count_ = 0;
    std::string problem_;
};

inline std::string xml_problem(std::string_view text) { return XmlCheck(text).problem(); }

/// How often a word occurs.
inline std::size_t count_of(std::string_view text, std::string_view word)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        ++count;
    return count;
}

} // namespace phyxel
