// SPDX-License-Identifier: MIT
// 10_own_kind: a kind of bodies of one's own, points that follow a formula, stands beside water in a scene
// file.   Run: example_10_own_kind FOLDER examples/cpp/10_own_kind.json     (alone it prints the schema)
// Expect: a run that was resumed ends in the same state.
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/body_description.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/kind_builder.h>
#include <phyxel/scene/kind_format.h>
#include <phyxel/scene/manifest.h>

#include <cstdio>
#include <numbers>
using namespace phyxel;
template <int Dim>
struct FloatOptions : BodyBasics<Dim> {
    double height = 0.02;   ///< of the motion [m]
    double frequency = 1.0; ///< [1/s]
};

template <int Dim>
void describe(auto& visit, FloatOptions<Dim>& o)
{
    describe_basics(visit, o);
    visit("height", o.height, {.unit = "m", .min = 0, .changeable = true, .doc = "of the motion"});
    visit("frequency", o.frequency, {.unit = "1/s", .above = 0, .doc = "of the motion"});
}

inline constexpr std::array float_fields = {FieldInfo{"lift", 1, "m", "how far a point is above its rest"}};
template <int Dim>
class FloatBody final : public Body<Dim> {
public:
    FloatBody(std::span<const PlannedBody<Dim>> bodies, std::uint64_t first_id)
    {
        for (const PlannedBody<Dim>& body : bodies) {
            names_.push_back(body.name());
            options_.push_back(body.template as<FloatOptions<Dim>>());
            reach_.push_back(2.0 * body.spacing);
            rest_.insert(rest_.end(), body.positions.begin(), body.positions.end());
            parts_.resize(rest_.size(), static_cast<std::uint32_t>(names_.size() - 1));
            volume_.resize(rest_.size(), std::pow(body.spacing, Dim));
        }
        while (ids_.size() < rest_.size()) ids_.push_back(first_id + ids_.size());
        positions_ = rest_;
        velocities_.assign(rest_.size(), Vec<Dim>::Zero());
    }

    std::vector<std::string> parts() const override { return names_; }
    ParticleView<Dim> particles() const override
    {
        return {positions_, velocities_, ids_, parts_, reach_, rest_};
    }
    ParticleAmounts amounts(const Surroundings<Dim>&) override
    {
        return {.mass = volume_, .volume = volume_, .rest_volume = volume_, .weight = volume_};
    }
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) override
    {
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            const FloatOptions<Dim>& o = options_[parts_[i]];
            const double phase = 2.0 * std::numbers::pi * o.frequency * surroundings.time + rest_[i][0];
            Vec<Dim> x = rest_[i];
            x[Dim - 1] += o.height * std::sin(phase);
            velocities_[i] = (x - positions_[i]) / dt;
            positions_[i] = x;
        }
        return {};
    }
    std::span<const FieldInfo> fields() const override { return float_fields; }
    std::vector<double> field(std::string_view, const Surroundings<Dim>&) override
    {
        std::vector<double> lift;
        for (std::size_t i = 0; i < rest_.size(); ++i) lift.push_back((positions_[i] - rest_[i])[Dim - 1]);
        return lift;
    }
    void set_parameters(const std::any& given) override
    {
        options_ = std::any_cast<const std::vector<FloatOptions<Dim>>&>(given);
    }
    void save(CheckpointWriter& checkpoint) const override { checkpoint.add("float/position", positions_); }
    void load(const CheckpointReader& checkpoint) override
    {
        checkpoint.read_into("float/position", std::span(positions_));
    }

private:
    std::vector<std::string> names_;
    std::vector<FloatOptions<Dim>> options_; // of the parts
    std::vector<double> reach_, volume_;
    std::vector<Vec<Dim>> rest_, positions_, velocities_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::uint32_t> parts_;
};

template <int Dim>
struct FloatBuilder final : KindBuilder<Dim> {
    using KindBuilder<Dim>::KindBuilder;
    std::unique_ptr<Body<Dim>> make_body(std::uint64_t first_id) override
    {
        return std::make_unique<FloatBody<Dim>>(this->bodies, first_id);
    }
};

template <int Dim>
KindOf<Dim> float_kind()
{
    KindOf<Dim> kind;
    kind.name = "float";
    kind.options = options_format<Dim, FloatOptions<Dim>>();
    kind.fields.assign(float_fields.begin(), float_fields.end());
    kind.usual_fields = {"lift"};
    kind.make_builder = [](BuildContext<Dim>& context) {
        return std::make_unique<FloatBuilder<Dim>>(context);
    };
    kind.parameters = [](const SceneOptions<Dim>& scene, std::span<const std::size_t>, const std::any&) {
        std::vector<FloatOptions<Dim>> all;
        for_each_of<FloatOptions<Dim>>(scene, [&](const auto& o, std::size_t) { all.push_back(o); });
        return std::any(all);
    };
    return kind;
}

int main(int argc, char** argv)
try {
    Kinds kinds = standard_kinds();
    kinds.add(float_kind<2>(), float_kind<3>());
    if (argc < 3) return std::puts(to_text(scene_schema(kinds)).c_str()) < 0;
    const Scene scene = Scene::read(argv[2], kinds);
    const auto run_to = [&](const char* name, bool resume, std::uint64_t end) {
        BuiltScene built = build_scene(scene);
        World<2>& world = *std::get<0>(built.world);
        RunOptions options;
        options.folder = std::filesystem::path(argv[1]) / name;
        options.manifest = manifest_text({.scene = built.resolved, .derived = built.derived}, options.folder);
        options.resume = resume;
        options.overwrite = !resume;
        options.end_frame = end;
        options.fields = built.fields;
        (void)run(world, options);
        return world.state_hash();
    };
    const std::uint64_t whole = run_to("floats", false, 7);
    run_to("floats_resumed", false, 4);
    const bool is_same = whole == run_to("floats_resumed", true, 7);
    std::puts(is_same ? "the same bits" : "other bits");
    return is_same ? 0 : 1;
} catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
