// SPDX-License-Identifier: MIT
// Spray, foam and bubbles as a pass over the frames of a fluid that was computed already [IAAT12]: small
// particles that are born where air is trapped and where waves break, and that the fluid carries along.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/hash_grid.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace phyxel {

enum class FoamKind : std::int32_t {
    Spray = 0,  ///< in the air, flies
    Foam = 1,   ///< at the surface, goes along and fades
    Bubble = 2, ///< inside, rises
};

struct FoamOptions {
    double amount = 100.0;  ///< born a second from a fluid particle where it is most violent
    double lifetime = 2.0;  ///< that foam lasts on the average [s]
    double speed = 0.0;     ///< of violent motion; that of a fall from the height of the fluid if 0 [m/s]
    double buoyancy = 2.0;  ///< of bubbles, in terms of gravity
    double drag = 0.8;      ///< how far bubbles follow the fluid in a step, 0 to 1
    int steps = 4;          ///< between two frames
    std::uint64_t seed = 1; ///< of all randomness
    std::size_t most = 2'000'000; ///< beyond which none is born
};

/// Throws InputError, naming the option, unless all are in their ranges.
void check_options(const FoamOptions& options);

/// A fluid at one frame, in ascending order of ids.
struct FoamFluid {
    std::vector<Vec<3>> positions = {};  ///< [m]
    std::vector<Vec<3>> velocities = {}; ///< [m/s]
    std::vector<std::uint64_t> ids = {};
};

struct FoamParticle {
    Vec<3> position;  ///< [m]
    Vec<3> velocity;  ///< [m/s]
    std::uint64_t id; ///< never used twice
    double life;      ///< that is left [s]
    FoamKind kind = FoamKind::Spray;
};

/// What walls do to a particle at a time [s]: they may put it elsewhere and change its velocity. False if it
/// is gone.
using FoamWalls = std::function<bool(Vec<3>& position, Vec<3>& velocity, double time)>;

class FoamMaker {
public:
    /// Throws InputError for options that make no sense. `spacing` is that of the fluid's particles [m].
    FoamMaker(double spacing, const Vec<3>& gravity, const FoamOptions& options);

    /// From one frame of the fluid to the next, `dt` [s] later, which is at `time` [s]. `walls` is called
    /// from several threads.
    void advance(const FoamFluid& from, const FoamFluid& to, double time, double dt, const FoamWalls& walls);

    const std::vector<FoamParticle>& particles() const { return particles_; }

private:
    void be_born(const FoamFluid& fluid, double dt);
    void move(const FoamFluid& fluid, double time, double dt, const FoamWalls& walls);

    double spacing_;
    double reach_; ///< of neighbours [m]
    Vec<3> gravity_;
    FoamOptions options_;
    double speed_ = 0.0; ///< of violent motion, once the first frame is known [m/s]
    HashGrid<3> grid_;
    std::uint64_t frame_ = 0;
    std::uint64_t next_id_ = 0;
    std::vector<FoamParticle> particles_;
};

} // namespace phyxel
