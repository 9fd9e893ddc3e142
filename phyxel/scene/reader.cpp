// SPDX-License-Identifier: MIT
#include <phyxel/scene/reader.h>

#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace phyxel {
namespace {

bool is_formula(const Node& node)
{
    if (!node.is_text()) return false;
    const std::size_t begin = node.text().find_first_not_of(" \t");
    return begin != std::string::npos && node.text()[begin] == '=';
}

} // namespace

void Reader::add_problem(const Place& place, std::string what, std::string allowed)
{
    problems_.push_back({place, path_.text(), std::move(what), std::move(allowed)});
    if (problems_.size() >= max_problems) finish();
}

void Reader::add_problem(const Node& node, std::string what, std::string allowed)
{
    add_problem(node.place(), std::move(what), std::move(allowed));
}

void Reader::add_mismatch(const Node& node, const std::string& expected)
{
    refuse_value(node, expected);
    lose_part();
}

bool Reader::refuse_value(const Node& node, const std::string& expected)
{
    add_problem(node, "expected " + expected + ", found " + short_text(node));
    return false;
}

void Reader::finish()
{
    if (!problems_.empty()) throw SceneError(std::move(problems_));
}

bool Reader::check_range(const Node& node, const Parameter& parameter, double value)
{
    if (is_in_range(value, parameter)) return true;
    add_problem(node, format_quantity(value, parameter.unit) + " is out of range",
                "must be " + range_text(parameter));
    return false;
}

bool Reader::read_bool(const Node& node, bool& value)
{
    if (!node.is_bool()) return refuse_value(node, "true or false");
    value = node.boolean();
    return true;
}

bool Reader::read_text(const Node& node, std::string& value)
{
    if (!node.is_text()) return refuse_value(node, "a text");
    value = node.text();
    return true;
}

bool Reader::read_quantity(const Node& node, const Parameter& parameter, double& value)
{
    double read = 0.0;
    if (node.is_number()) {
        read = node.number();
    } else if (is_formula(node)) {
        add_problem(node, "a formula is not allowed here", "expected " + expected_quantity(parameter.unit));
        return false;
    } else if (node.is_text()) {
        try {
            read = parse_quantity_in(node.text(), parameter.unit, parameter.hint);
        } catch (const InputError& error) {
            add_problem(node, error.what());
            return false;
        }
    } else {
        return refuse_value(node, expected_quantity(parameter.unit));
    }
    if (!check_range(node, parameter, read)) return false;
    value = read;
    return true;
}

bool Reader::read_formula(const Node& node, const Parameter& parameter, Formula& value)
{
    if (!is_formula(node)) {
        double number = 0.0;
        if (!read_quantity(node, parameter, number)) return false;
        value = number;
        return true;
    }
    try {
        Formula formula(node.text());
        for (const char variable : std::string_view("xyzt")) {
            if (!formula.uses(variable) || parameter.variables.find(variable) != std::string_view::npos)
                continue;
            std::vector<std::string_view> allowed;
            for (const char& c : parameter.variables) allowed.emplace_back(&c, 1);
            add_problem(node, std::string("the formula uses ") + variable, "allowed: " + word_list(allowed));
            return false;
        }
        value = std::move(formula);
        return true;
    } catch (const FormulaError& error) {
        add_problem(node, error.what());
        return false;
    }
}

bool Reader::read_whole(const Node& node, const Parameter& parameter, double lowest, double highest,
                        double& value)
{
    if (!node.is_number() || node.number() != std::floor(node.number()))
        return refuse_value(node, "a whole number");
    // The narrower of the two ranges counts; only where it is the type's does the user need to hear of it.
    Parameter range = parameter;
    if (node.number() < lowest) range.min = std::max(range.min, lowest);
    if (node.number() > highest) range.max = std::min(range.max, highest);
    if (!check_range(node, range, node.number())) return false;
    value = node.number();
    return true;
}

bool Reader::read_word(const Node& node, std::span<const std::string_view> words, std::size_t& value)
{
    if (!node.is_text()) return refuse_value(node, expected_words(words));
    const auto word = std::find(words.begin(), words.end(), node.text());
    if (word == words.end()) {
        add_problem(node, "unknown word " + short_text(node),
                    suggestion(node.text(), words) + "allowed: " + word_list(words));
        return false;
    }
    value = static_cast<std::size_t>(word - words.begin());
    return true;
}

const Node* MemberReader::take(std::string_view name)
{
    known_.push_back(name);
    return object_.find(name);
}

void MemberReader::add_missing(std::string_view name, const std::string& expected)
{
    reader_.add_problem(object_, "missing key " + in_quotes(name), "expected " + expected);
    reader_.lose_part();
}

void MemberReader::finish()
{
    for (const Node::Member& member : object_.members())
        if (std::find(known_.begin(), known_.end(), member.key) == known_.end())
            reader_.add_problem(member.key_place, "unknown key " + short_text(member.key),
                                suggestion(member.key, known_) + "allowed: " + word_list(known_));
}

std::string expected_words(std::span<const std::string_view> words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += in_quotes(words[i]);
    }
    return text;
}

} // namespace phyxel
