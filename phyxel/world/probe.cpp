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

void add_field_columns(std::vector<std::string>& columns, const std::string& name, int components)
{
    if (components == 2 || components == 3)
        add_columns(columns, name, std::span(axis_names).first(static_cast<std::size_t>(components)));
    else if (components == 6)
        add_columns(columns, name, symmetric_names);
    else if (components == 9)
        add_columns(columns, name, tensor_names);
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

/// What a probe reads at one place, or of one thing.
template <int Dim>
int components_of(const Probe<Dim>& probe)
{
    if (probe.components > 1 || std::holds_alternative<JointProbe>(probe.what)) return probe.components;
    const bool is_torque_of_obstacle =
        std::holds_alternative<ObstacleProbe>(probe.what) && probe.field == "torque";
    if (is_torque_of_obstacle) return Dim == 2 ? 1 : 3;
    return is_vector_field(probe.field) ? Dim : 1;
}

template <int Dim>
std::vector<std::string> probe_columns(const Probe<Dim>& probe)
{
    std::vector<std::string> columns;
    if (const auto* line = std::get_if<LineProbe<Dim>>(&probe.what)) {
        for (int n = 0; n < line->count; ++n)
            add_field_columns(columns, probe.name + '[' + std::to_string(n) + ']', components_of(probe));
    } else if (probe.field == "bounds") {
        add_field_columns(columns, probe.name + ".min", Dim);
        add_field_columns(columns, probe.name + ".max", Dim);
    } else {
        add_field_columns(columns, probe.name, components_of(probe));
    }
    return columns;
}

template std::vector<std::string> probe_columns(const Probe<2>&);
template std::vector<std::string> probe_columns(const Probe<3>&);

} // namespace phyxel
