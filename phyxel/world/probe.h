// SPDX-License-Identifier: MIT
// Gauges in a world: what is measured, where, and how often.
#pragma once

#include <phyxel/core/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {

/// A place in space; with `body`, the material point of that body that was there at the start.
template <int Dim>
struct PointProbe {
    Vec<Dim> point = Vec<Dim>::Zero(); ///< [m]
    std::optional<std::string> body = {};
};

/// `count` places from one end to the other, both included.
template <int Dim>
struct LineProbe {
    Vec<Dim> from = Vec<Dim>::Zero(); ///< [m]
    Vec<Dim> to = Vec<Dim>::Zero();   ///< [m]
    int count = 2;
};

template <int Dim>
struct PlaneProbe {
    Vec<Dim> point = Vec<Dim>::Zero();         ///< [m]
    Vec<Dim> normal = Vec<Dim>::Unit(Dim - 1); ///< of length 1
};

struct BodyProbe {
    std::string body;
};

struct ObstacleProbe {
    std::string obstacle;
};

struct JointProbe {
    std::string joint;
};

enum class ProbeTimes { Frame, Step, Interval };

/// Fields of points and lines: position, displacement (only with a body), velocity, and those of the bodies,
/// 0 where there is no body that has it. Of a plane: flow. Of a body: bounds, center, volume, momentum,
/// energy, max_speed, and what bodies have as a whole. Of an obstacle: force, torque. Of a joint: what it
/// has.
template <int Dim>
struct Probe {
    std::string name;
    std::variant<PointProbe<Dim>, LineProbe<Dim>, PlaneProbe<Dim>, BodyProbe, ObstacleProbe, JointProbe> what;
    std::string field;
    ProbeTimes every = ProbeTimes::Frame;
    double interval = 0.0; ///< [s], for ProbeTimes::Interval
    int components = 1;    ///< of a field that points, bodies as a whole, or joints have; see FieldInfo
};

/// A row of probes.csv: empty where a probe was not sampled.
struct ProbeRow {
    double time = 0.0; ///< [s]
    std::vector<std::optional<double>> values;
};

/// Columns of a probe: `gauge`, `tip.x`, `profile[3].x`, `tank.min.x`.
template <int Dim>
std::vector<std::string> probe_columns(const Probe<Dim>& probe);

/// Whether the field is a vector where a point has it.
bool is_vector_field(const std::string& field);

extern template std::vector<std::string> probe_columns(const Probe<2>&);
extern template std::vector<std::string> probe_columns(const Probe<3>&);

} // namespace phyxel
