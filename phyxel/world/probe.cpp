// SPDX-License-Identifier: MIT
#include <phyxel/world/probe.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace phyxel {
namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

template <int Dim>
void add_field_columns(std::vector<std::string>& columns, const std::string& name, const std::string& field)
{
    if (!is_vector_field(field)) {
        columns.push_back(name);
        return;
    }
    for (int k = 0; k < Dim; ++k) columns.push_back(name + '.' + std::string(axis_names[k]));
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
            add_field_columns<Dim>(columns, probe.name + '[' + std::to_string(n) + ']', probe.field);
    } else if (probe.field == "bounds") {
        add_field_columns<Dim>(columns, probe.name + ".min", "position");
        add_field_columns<Dim>(columns, probe.name + ".max", "position");
    } else if (probe.field == "torque" && Dim == 3) {
        add_field_columns<Dim>(columns, probe.name, "force");
    } else {
        add_field_columns<Dim>(columns, probe.name, probe.field);
    }
    return columns;
}

template std::vector<std::string> probe_columns(const Probe<2>&);
template std::vector<std::string> probe_columns(const Probe<3>&);

} // namespace phyxel
