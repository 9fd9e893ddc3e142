// SPDX-License-Identifier: MIT
// Rigid bodies of a scene: their masses, what is drawn of them, their joints, and whether they have room.
#include <phyxel/kinds/rigid/detail/rigid_builder.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/heat_checks.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace phyxel {
namespace {

using detail::in_metres;
using detail::point_text;

/// Deeper in each other than this share of their size two bodies would be thrown apart.
constexpr double bearable_depth = 1e-3;

/// Along the longest side, of a shape that is no file.
constexpr int mesh_resolution = 48;

/// How deep points of one body, moved on by a shift, are in another; 0 if they are not.
template <int Dim>
double depth_in(const ContactPoints<Dim>& points, const Shape<Dim>& shape, const Vec<Dim>& shift)
{
    double deepest = 0.0;
    for (const Vec<Dim>& at_first : points.places) {
        const Vec<Dim> x = at_first + shift;
        if (shape.bounds().distance(x) > points.radius) continue;
        deepest = std::max(deepest, points.radius - shape.signed_distance(x));
    }
    return deepest;
}

/// Twelve triangles: piles of boxes would fill a disk with finer ones.
TriangleMesh box_mesh(const PlacedBox& box)
{
    TriangleMesh mesh;
    for (int n = 0; n < 8; ++n) mesh.vertices.push_back(box.corner(n));
    for (const Index axis : {0u, 1u, 2u})
        for (const bool is_far : {false, true}) {
            // Bits of the numbers of corners: along the axis, and around it counter-clockwise seen from
            // outside.
            const Index first = is_far ? Index(1) << axis : 0;
            Index u = Index(1) << (axis + 1) % 3, v = Index(1) << (axis + 2) % 3;
            if (!is_far) std::swap(u, v);
            mesh.triangles.push_back({first, first + u, first + u + v});
            mesh.triangles.push_back({first, first + u + v, first + v});
        }
    return mesh;
}

} // namespace

/// A lattice shows it; one that is smaller than a spacing is a single particle.
template <int Dim>
void RigidBuilder<Dim>::fill(PlannedBody<Dim>& body)
{
    models_.resize(bodies.size(), RigidModel<Dim>{.shape = *body.shape});
    try {
        models_[body.number] = make_rigid_model(
            *body.shape, body.template as<RigidBodyOptions<Dim>>().material.properties, context_.work);
    } catch (const InputError& error) {
        context_.findings.add_problem(body.path / "shape", error.what(), "choose another shape");
        return;
    }
    body.positions = fill_lattice(*body.shape, body.spacing, context_.work);
    if (body.positions.empty()) body.positions = {models_[body.number].mass.center};
    context_.is_filled = true;
}

template <int Dim>
Vec<Dim> RigidBuilder<Dim>::center_of(const PlannedBody<Dim>& body) const
{
    return models_[body.number].mass.center;
}

/// Of those that are there at the same time.
template <int Dim>
void RigidBuilder<Dim>::check_places()
{
    const auto are_joined = [&](const std::string& a, const std::string& b) {
        const auto& joints = context_.scene.template section<JointSection<Dim>>()->joints;
        return std::any_of(joints.begin(), joints.end(), [&](const JointOptions<Dim>& joint) {
            const auto has = [&](const std::string& name) {
                return std::find(joint.bodies.begin(), joint.bodies.end(), name) != joint.bodies.end();
            };
            return has(a) && has(b);
        });
    };
    const PeriodicBox<Dim> periodic = context_.domain.periodic_box();
    // From a body to its images that may be near a box.
    const auto for_each_shift = [&](const RigidModel<Dim>& model, const Box<Dim>& box, const auto& visit) {
        const Vec<Dim>& center = model.mass.center;
        for_each_image<Dim>(periodic, center, box, model.radius,
                            [&](const Vec<Dim>& image) { visit(Vec<Dim>(image - center)); });
    };
    for (const PlannedBody<Dim>& body : bodies) {
        const RigidModel<Dim>& model = models_[body.number];
        context_.begin_work(body.path / "shape");
        const auto add_problem = [&](const std::string& where, double depth) {
            context_.findings.add_problem(body.path / "shape",
                                          "the body is " + in_metres(depth) + " deep in " + where,
                                          "move one of them, or cut it with a \"difference\"");
        };
        for (std::size_t n = 0; n < body.number; ++n) {
            const PlannedBody<Dim>& other = bodies[n];
            if (other.start() != body.start() || are_joined(other.name(), body.name()) ||
                context_.ignored.contains(other.name(), body.name()))
                continue;
            const RigidModel<Dim>& others = models_[n];
            const Box<Dim>& room = others.shape.bounds();
            double depth = 0.0;
            for_each_shift(model, room, [&](const Vec<Dim>& shift) {
                const Box<Dim>& own = model.shape.bounds();
                if (overlap({own.min + shift, own.max + shift}, room).is_empty()) return;
                const double points =
                    static_cast<double>(model.points.places.size() + others.points.places.size());
                context_.work.spend(points * (model.shape.query_work() + others.shape.query_work()));
                depth = std::max({depth, depth_in(model.points, others.shape, shift),
                                  depth_in(others.points, model.shape, Vec<Dim>(-shift))});
            });
            if (depth > bearable_depth * std::min(model.radius, others.radius))
                add_problem(other.path.text() + " (" + other.name() + ')', depth);
        }
        for (std::size_t k = 0; k < context_.obstacles.size(); ++k) {
            const MovingObstacle<Dim>& obstacle = context_.obstacles[k];
            if (obstacle.shape.is_sheet() || context_.ignored.contains(body.name(), obstacle.name)) continue;
            const Pose<Dim> pose = obstacle.motion.pose(body.start().value_or(0.0));
            ContactPoints<Dim> points = model.points;
            context_.work.spend(static_cast<double>(points.places.size()) * obstacle.shape.query_work());
            for (Vec<Dim>& x : points.places) x = pose.apply_inverse(x);
            const double depth = depth_in(points, obstacle.shape, Vec<Dim>(Vec<Dim>::Zero()));
            if (depth > bearable_depth * model.radius)
                add_problem(path_of({"obstacles", k}).text() + " (" + obstacle.name + ')', depth);
        }
        if (!context_.domain.bounded) continue;
        double beyond = 0.0;
        for (const Vec<Dim>& x : model.points.places)
            for_each_side(context_.domain, x, model.radius, [&](const NearWall<Dim>& side) {
                beyond = std::max(beyond, model.points.radius - side.distance);
            });
        if (beyond > bearable_depth * model.radius) add_problem("a wall of the domain", beyond);
    }
}

template <int Dim>
RigidPart<Dim> RigidBuilder<Dim>::part_of(const PlannedBody<Dim>& body)
{
    const RigidModel<Dim>& model = models_[body.number];
    RigidPart<Dim> part{.name = body.name(), .model = model};
    part.particles = body.positions;
    part.spacing = body.spacing;
    const auto& options = body.template as<RigidBodyOptions<Dim>>();
    part.thermal = options.material.thermal;
    part.air = air_of(options.heat.air);
    warn_of_cold(context_.findings, body.path, options.heat);
    if (options.heat.temperature) {
        const Vec<Dim>& X = model.mass.center;
        part.temperature = options.heat.temperature->evaluate(X[0], X[1], Dim == 3 ? X[Dim - 1] : 0.0, 0.0);
        if (!(*part.temperature > 0.0) || !std::isfinite(*part.temperature))
            context_.findings.add_problem(body.path / "temperature",
                                          "the temperature of the body is " +
                                              format_quantity(*part.temperature, "K"),
                                          "must be above 0 K");
    }
    const double start = body.start().value_or(0.0);
    part.velocity = detail::evaluate<Dim>(body.basics().velocity, model.mass.center, start);
    part.angular_velocity = body.basics().angular_velocity;
    part.start = start;
    part.surface = surface_of<Dim>(body.template as<RigidBodyOptions<Dim>>().surface);
    if constexpr (Dim == 3) {
        context_.begin_work(body.path / "shape");
        TriangleMesh mesh;
        auto surface = context_.shapes.file_surface(*body.basics().shape);
        if (surface && std::holds_alternative<TriangleMesh>(*surface))
            mesh = std::move(std::get<TriangleMesh>(*surface));
        else if (model.points.box)
            mesh = box_mesh(*model.points.box);
        else
            mesh = shape_mesh(model.shape, mesh_resolution, context_.work);
        part.mesh.vertices = std::move(mesh.vertices);
        part.mesh.triangles = std::move(mesh.triangles);
        mesh_points_ += static_cast<double>(part.mesh.vertices.size());
        mesh_triangles_ += static_cast<double>(part.mesh.triangles.size());
    }
    return part;
}

template <int Dim>
std::vector<RigidJoint<Dim>> RigidBuilder<Dim>::make_joints(const std::vector<std::string>& order) const
{
    std::vector<RigidJoint<Dim>> joints;
    for (const JointOptions<Dim>& options : context_.scene.template section<JointSection<Dim>>()->joints) {
        const auto number_of = [&](const std::string& name) {
            return static_cast<Index>(std::find(order.begin(), order.end(), name) - order.begin());
        };
        RigidJoint<Dim> joint;
        joint.name = options.name;
        joint.type = options.type;
        joint.a = number_of(options.bodies.front());
        if (options.bodies.size() > 1) joint.b = number_of(options.bodies.back());
        joint.at = options.at;
        if (options.axis) joint.axis = options.axis->normalized();
        joint.limits = options.limits;
        joint.motor = options.motor();
        joints.push_back(joint);
    }
    return joints;
}

/// The body is made early, so that what is wrong with it is said with the rest.
template <int Dim>
void RigidBuilder<Dim>::finish(std::uint64_t first_id, bool for_world)
{
    check_places(); // also of one that is dropped in, by itself
    if (!for_world || context_.findings.has_problems()) return;
    std::vector<RigidPart<Dim>> parts;
    std::vector<std::string> order;
    std::size_t present = 0;
    for (const bool is_later : {false, true})
        for (const PlannedBody<Dim>& body : bodies) {
            if (body.start().has_value() != is_later) continue;
            parts.push_back(part_of(body));
            order.push_back(body.name());
            if (!is_later) ++present;
        }
    body_ = std::make_unique<RigidBody<Dim>>(std::move(parts), present, make_joints(order), first_id,
                                             context_.fault);
    Node masses = Node::object();
    for (const PlannedBody<Dim>& body : bodies) masses.set(body.name(), models_[body.number].mass.mass);
    context_.derived.set("mass_of_rigid_bodies", std::move(masses));
}

template <int Dim>
std::vector<ExpectedStep> RigidBuilder<Dim>::expected_steps() const
{
    return {{.step = RigidSolver<Dim>::longest_step}};
}

/// Also moved meshes and rows of poses.csv: the time, the frame, a name and seven numbers.
template <int Dim>
KindCost RigidBuilder<Dim>::cost(const RunPlan& plan) const
{
    constexpr double number_size = 20.0; // of 17 digits, most of the time
    KindCost cost = KindBuilder<Dim>::cost(plan);
    for (const PlannedBody<Dim>& body : bodies)
        cost.disk += static_cast<double>(plan.frame_count()) *
                     (8.0 * number_size + 6.0 + static_cast<double>(body.name().size()));
    constexpr double numbers = 3.0; // of velocity
    cost.disk += disk_of_surfaces(plan, mesh_points_, numbers, mesh_triangles_);
    return cost;
}

template <int Dim>
bool RigidBuilder<Dim>::is_held() const
{
    const auto& joints = context_.scene.template section<JointSection<Dim>>()->joints;
    return std::any_of(joints.begin(), joints.end(),
                       [](const JointOptions<Dim>& joint) { return joint.bodies.size() == 1; });
}

template <int Dim>
std::unique_ptr<Body<Dim>> RigidBuilder<Dim>::make_body(std::uint64_t)
{
    return std::move(body_);
}

template <int Dim>
std::any RigidBuilder<Dim>::make_part(PlannedBody<Dim>& body)
{
    return std::make_shared<RigidPart<Dim>>(part_of(body));
}

template class RigidBuilder<2>;
template class RigidBuilder<3>;

} // namespace phyxel
