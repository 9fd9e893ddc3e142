// SPDX-License-Identifier: MIT
#include <phyxel/scene/parameter_table.h>

#include <phyxel/scene/document.h>

namespace phyxel {
namespace {

/// Bars would end a cell.
std::string cell(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

} // namespace

void TableWriter::add(const std::string& path, const Parameter& parameter, const std::string& expected,
                      const Node& default_value)
{
    std::string value = expected;
    if (const std::string range = range_text(parameter); !range.empty()) value += ", " + range;
    std::string preset;
    if (parameter.required) {
        preset = "required";
    } else if (!default_value.is_null() && !default_value.is_object()) {
        preset = '`' + cell(to_line(default_value)) + '`';
        if (parameter.unit != "1") preset += ' ' + std::string(parameter.unit);
    }
    rows_ += "| `" + cell(path) + "` | " + cell(value) + " | " + preset + " | " + cell(parameter.doc) +
             (parameter.changeable  ? "; changeable"
              : parameter.by_preset ? "; changeable to a preset, by name"
                                    : "") +
             " |\n";
}

std::string TableWriter::finish() const
{
    return "| key | value | default | meaning |\n|---|---|---|---|\n" + rows_;
}

} // namespace phyxel
