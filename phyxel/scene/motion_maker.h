// SPDX-License-Identifier: MIT
// Motions from what a scene says of them.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/scene/scene_options.h>

#include <cstddef>
#include <variant>

namespace phyxel {

/// What nothing is said of turns around the centre of the bounds, which the options know from then on.
/// Throws InputError.
template <int Dim>
Motion<Dim> make_motion(MotionOptions<Dim>& options, const Box<Dim>& bounds)
{
    if (auto* keys = std::get_if<KeyMotion<Dim>>(&options.kind)) {
        if (!keys->about) keys->about = bounds.center();
        return Motion<Dim>(keys->keys, keys->interpolation, *keys->about);
    }
    if (auto* formulas = std::get_if<FormulaMotion<Dim>>(&options.kind)) {
        if (!formulas->about) formulas->about = bounds.center();
        const auto displacement = [move = formulas->move, rotate = formulas->rotate](double time) {
            Displacement<Dim> moved;
            for (int k = 0; k < Dim; ++k)
                moved.move[k] = move[static_cast<std::size_t>(k)].evaluate(0, 0, 0, time);
            for (std::size_t k = 0; k < rotate.size(); ++k)
                moved.rotate[static_cast<Eigen::Index>(k)] = rotate[k].evaluate(0, 0, 0, time);
            return moved;
        };
        return Motion<Dim>(displacement, *formulas->about);
    }
    return {};
}

} // namespace phyxel
