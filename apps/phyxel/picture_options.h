// SPDX-License-Identifier: MIT
// How pictures look, from the words of the command line and the section `render` of a scene, which have the
// same names.
#pragma once

#include <phyxel/render/frame_pictures.h>
#include <phyxel/scene/scene.h>

#include <optional>
#include <string>

namespace phyxel::command {

/// As they stand on the command line; what is empty was not given.
struct PictureArguments {
    std::string size;     ///< 1280x720
    std::string camera;   ///< FROM:AT in one word
    std::string from;     ///< a point
    std::string look_at;  ///< a point
    std::string fov;      ///< an angle, of plain numbers in degrees
    std::string orbit;    ///< an angle in a second, of plain numbers in degrees
    std::string color;    ///< a field, or `body`
    std::string range;    ///< LOW:HIGH
    std::string style;    ///< light or dark
    std::string blur;     ///< a part of the time between frames
    std::string aperture; ///< a length
    std::string focus;    ///< a length
    bool liquid = false;
    std::optional<int> samples; ///< rays a pixel
};

/// What a scene says, changed by what was given. Throws an InputError that names the option.
PictureLook look_of(const RenderSettings& settings, const PictureArguments& arguments);

} // namespace phyxel::command
