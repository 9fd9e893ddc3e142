// SPDX-License-Identifier: MIT
#include "world_text.h"

#include "capabilities.h"

#include <phyxel/geometry/shape_mesh.h>

#include <cmath>
#include <utility>
#include <variant>

namespace phyxel::studio {
namespace {

/// Cells along the longest side of an obstacle: enough to look at, and soon made.
constexpr int obstacle_resolution = 48;

/// What the page draws need not be written with more digits.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

template <int Dim>
Node domain_node(const Domain<Dim>& domain)
{
    if (!domain.bounded) return {};
    Box<3> box{Vec<3>::Zero(), Vec<3>::Zero()};
    box.min.template head<Dim>() = domain.box.min;
    box.max.template head<Dim>() = domain.box.max;
    return Node::object({{"min", list_node(box.min)}, {"max", list_node(box.max)}});
}

template <int Dim>
TriangleMesh mesh_of(const MovingObstacle<Dim>& obstacle, double spacing)
{
    if constexpr (Dim == 3)
        return shape_mesh(obstacle.cavity ? *obstacle.cavity : obstacle.shape, obstacle_resolution);
    else
        return shape_mesh(obstacle.shape, spacing, obstacle_resolution);
}

template <int Dim>
Node obstacle_node(const MovingObstacle<Dim>& obstacle, double spacing)
{
    const TriangleMesh mesh = mesh_of(obstacle, spacing);
    Node vertices = Node::list();
    Node triangles = Node::list();
    for (const Vec<3>& x : mesh.vertices)
        for (int k = 0; k < 3; ++k) vertices.items().emplace_back(rounded(x[k]));
    for (const std::array<Index, 3>& triangle : mesh.triangles)
        for (const Index corner : triangle) triangles.items().emplace_back(corner);
    return Node::object({{"name", obstacle.name},
                         {"vertices", std::move(vertices)},
                         {"triangles", std::move(triangles)},
                         {"container", obstacle.cavity.has_value()}});
}

template <int Dim>
Node pose_node(const Pose<Dim>& pose)
{
    Mat<3> R = Mat<3>::Identity();
    Vec<3> t = Vec<3>::Zero();
    R.template topLeftCorner<Dim, Dim>() = pose.rotation;
    t.template head<Dim>() = pose.translation;
    Node numbers = Node::list();
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) numbers.items().emplace_back(R(row, column));
        numbers.items().emplace_back(t[row]);
    }
    return numbers;
}

double spacing_of(const Node& resolved)
{
    const Node* spacing = resolved.find("spacing");
    return spacing != nullptr && spacing->is_number() ? spacing->number() : 0.0;
}

Node camera_node(const CameraSettings& camera)
{
    if (!camera.from && !camera.look_at && !camera.fov) return {};
    Node node = Node::object();
    if (camera.from) node.set("from", list_node(*camera.from));
    if (camera.look_at) node.set("look_at", list_node(*camera.look_at));
    if (camera.fov) node.set("fov", *camera.fov);
    return node;
}

Node color_node(const ColorSettings& color)
{
    Node node = Node::object({{"field", color.field}});
    if (color.range) node.set("range", Node::list({(*color.range)[0], (*color.range)[1]}));
    return node;
}

} // namespace

Node body_node(const std::string& name, std::string_view type, int dimension, double spacing)
{
    const Capabilities capabilities = capabilities_of(type, dimension);
    return Node::object({{"name", name},
                         {"spacing", spacing},
                         {"can", texts_node(capabilities.can)},
                         {"surface", capabilities.surface}});
}

Node bodies_node(const std::vector<std::string>& names, const Node& resolved)
{
    const Node* dimension = resolved.find("dimension");
    const int dimensions = dimension != nullptr && *dimension == Node(2) ? 2 : 3;
    Node list = Node::list();
    for (const std::string& name : names) {
        std::string type;
        double spacing = spacing_of(resolved);
        for (const Node& body : resolved.find("bodies")->items()) {
            if (*body.find("name") != Node(name)) continue;
            type = body.find("type")->text();
            if (const double own = spacing_of(body); own > 0.0) spacing = own;
        }
        list.items().push_back(body_node(name, type, dimensions, spacing));
    }
    return list;
}

Node number_or_list(const std::vector<double>& values)
{
    const auto finite = [](double value) { return std::isfinite(value) ? Node(value) : Node(); };
    if (values.size() == 1) return finite(values.front());
    Node list = Node::list();
    for (const double value : values) list.items().push_back(finite(value));
    return list;
}

Node fields_node(const std::vector<std::string>& fields, const FieldUnits& units)
{
    Node list = Node::list();
    for (const std::string& field : fields)
        list.items().push_back(Node::object({{"name", field}, {"unit", units.of(field)}}));
    return list;
}

Node texts_node(const std::vector<std::string>& texts)
{
    return Node::list(std::vector<Node>(texts.begin(), texts.end()));
}

Node list_node(const Vec<3>& v) { return Node::list({v[0], v[1], v[2]}); }

Node describe_world(const Scene& scene, const BuiltScene& built)
{
    const double spacing = spacing_of(built.resolved);
    return std::visit(
        [&](const auto& world) {
            const ClockOptions& clock = world->clock();
            Node node = Node::object({{"dimension", scene.dimension()},
                                      {"frame_rate", clock.frame_rate},
                                      {"duration", clock.duration},
                                      {"last_frame", clock.last_frame()},
                                      {"spacing", spacing}});
            node.set("domain", domain_node(world->surroundings().domain));
            node.set("bodies", bodies_node(world->part_names(), built.resolved));
            Node obstacles = Node::list();
            for (const auto& obstacle : world->obstacles())
                obstacles.items().push_back(obstacle_node(obstacle, spacing));
            node.set("obstacles", std::move(obstacles));
            node.set("up", scene.dimension() == 3 ? Node::list({0, 0, 1}) : Node::list({0, 1, 0}));
            node.set("camera", camera_node(scene.render().camera));
            node.set("color", color_node(scene.render().color));
            return node;
        },
        built.world);
}

Node obstacle_poses(const BuiltScene& built, double time)
{
    Node list = Node::list();
    std::visit(
        [&]<int Dim>(const std::unique_ptr<World<Dim>>& world) {
            for (std::size_t k = 0; k < world->obstacles().size(); ++k) {
                const ObstacleSpan<Dim>& span = span_at<Dim>(world->course(k), time);
                list.items().push_back(span.is_there ? pose_node(span.motion.pose(time)) : Node());
            }
        },
        built.world);
    return list;
}

Node energies(BuiltScene& built)
{
    Node list = Node::list();
    std::visit(
        [&](auto& world) {
            for (const auto& total : world->totals()) {
                const auto finite = [](double energy) {
                    return std::isfinite(energy) ? Node(energy) : Node();
                };
                list.items().push_back(Node::object({{"body", total.name},
                                                     {"kinetic", finite(total.kinetic_energy)},
                                                     {"potential", finite(total.potential_energy)},
                                                     {"internal", finite(total.internal_energy)}}));
            }
        },
        built.world);
    return list;
}

} // namespace phyxel::studio
