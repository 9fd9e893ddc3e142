// SPDX-License-Identifier: MIT
// Tables of described parameters in Markdown, for the documentation.
#pragma once

#include <phyxel/scene/node.h>
#include <phyxel/scene/parameters.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace phyxel {

class Kinds;

/// Collects rows, one for each parameter.
class TableWriter {
public:
    explicit TableWriter(const Kinds* kinds = nullptr) : kinds_(kinds) {}
    const Kinds* kinds() const { return kinds_; }

    void add(const std::string& path, const Parameter& parameter, const std::string& expected,
             const Node& default_value);

    /// Whether nobody has asked for this before: what is the same in many places is told in the first.
    bool is_first(const std::string& what) { return told_.insert(what).second; }

    /// Head and rows; each line ends.
    std::string finish() const;

private:
    const Kinds* kinds_;
    std::string rows_;
    std::set<std::string> told_;
};

/// Visitor that adds the parameters of a struct and those within them, at a path such as `solver.`.
class MemberTable {
public:
    MemberTable(TableWriter& table, std::string path) : table_(table), path_(std::move(path)) {}

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter)
    {
        const std::string path = path_ + std::string(name);
        const Node default_value = parameter.required ? Node() : ValueFormat<T>::write(member);
        table_.add(path, parameter, ValueFormat<T>::expected(parameter), default_value);
        if constexpr (requires { ValueFormat<T>::add_rows(table_, path); })
            ValueFormat<T>::add_rows(table_, path);
    }

    TableWriter& table() { return table_; }

private:
    TableWriter& table_;
    std::string path_;
};

} // namespace phyxel
