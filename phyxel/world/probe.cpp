// SPDX-License-Identifier: MIT
#include <phyxel/world/probe.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace phyxel {
namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};
constexpr std::array<std::string_view, 6> symmetric_names = {"xx", "yy", "zz", "xy", "yz", "xz"};
constexpr std::array<std::string_view, 9> tensor_names = {"xx", "xy", "xz", "yx", "yy",
                                                          "yz", "zx", "zy", "zz"};

void add_columns(std::vector<std::string>& columns, const std::string& name,
                 std::span<const std::string_view> components)
{
    for (const std::string_view component : components)
        columns.push_back(name + '.' + std::string(component));
}

/// `components` are those that the field has of a body.
template <int Dim>
void add_field_columns(std::vector<std::string>& columns, const std::string& name, const std::string& field,
                       int components = 1)
{
    // What bodies have comes first: the force on a rigid body has three components in 2D as well.
    if (components == 3)
        add_columns(columns, name, axis_names);
    else if (components == 6)
        add_columns(columns, name, symmetric_names);
    else if (components == 9)
        add_columns(columns, name, tensor_names);
    else if (is_vector_field(field))
        add_columns(columns, name, std::span(axis_names).first(Dim));
    else
        columns.push_back(name);
}

} // namespace

bool is_vector_field(const std::string& field)
{
    constexpr std::array<std::string_view, 6> vectors = {"position", "displacement", "velocity",
                                                         "center",   "momentum",     "force"};
    return std::find(vectors.begin(), vectors.end(), field) != vectors.end();
}

template <int Dim>
std::vector<std::string> probe_columns(const Probe<Dim>& probe)
{
    std::vector<std::string> columns;
    if (const auto* line = std::get_if<LineProbe<Dim>>(&probe.what)) {
        for (int n = 0; n < line->count; ++n)
            add_field_columns<Dim>(columns, probe.name + '[' + std::to_string(n) + ']', probe.field,
                                   probe.components);
    } else if (probe.field == "bounds") {
        add_field_columns<Dim>(columns, probe.name + ".min", "position");
        add_field_columns<Dim>(columns, probe.name + ".max", "position");
    } else if (probe.field == "torque" && Dim == 3) {
        add_field_columns<Dim>(columns, probe.name, "force");
    } else {
        add_field_columns<Dim>(columns, probe.name, probe.field, probe.components);
    }
    return columns;
}

template std::vector<std::string> probe_columns(const Probe<2>&);
template std::vector<std::string> probe_columns(const Probe<3>&);

} // namespace phyxel
