// SPDX-License-Identifier: MIT
#include "picture_options.h"

#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/quantity.h>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

namespace phyxel::command {
namespace {

constexpr int largest_side = 16384;
constexpr int most_samples = 65536;
constexpr double degree = std::numbers::pi / 180.0;

std::vector<std::string_view> parts_of(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

/// The number that all of the text spells, or nothing.
std::optional<double> plain_number(std::string_view text)
{
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    const NumberPrefix number = read_number(text);
    if (number.length == 0 || number.length != text.size() || !std::isfinite(number.value))
        return std::nullopt;
    return is_negative ? -number.value : number.value;
}

double number_of(std::string_view text, const std::string& option)
{
    const std::optional<double> number = plain_number(text);
    if (!number) throw InputError(option + ": \"" + std::string(text) + "\" is not a number");
    return *number;
}

/// A quantity with its unit, as in a scene; a plain number is taken times `plain_unit`.
double quantity_of(std::string_view text, std::string_view unit, double plain_unit, const std::string& option)
{
    if (const std::optional<double> number = plain_number(text)) return *number * plain_unit;
    try {
        const double value = parse_quantity_in(text, unit);
        if (std::isfinite(value)) return value;
    } catch (const InputError& error) {
        throw InputError(option + " " + std::string(text) + ": " + error.what());
    }
    throw InputError(option + " " + std::string(text) + ": is not a finite number");
}

Vec<3> point_of(std::string_view text, const std::string& option, const std::string& complaint)
{
    const std::vector<std::string_view> parts = parts_of(text, ',');
    if (parts.size() != 3) throw InputError(complaint);
    Vec<3> point;
    for (std::size_t k = 0; k < 3; ++k) point[static_cast<int>(k)] = quantity_of(parts[k], "m", 1.0, option);
    return point;
}

void apply_size(const std::string& text, RenderOptions& render)
{
    const std::string complaint =
        "--size " + text + ": expected width x height in pixels, as in 1280x720, at most 16384 each";
    const std::vector<std::string_view> parts = parts_of(text, 'x');
    if (parts.size() != 2) throw InputError(complaint);
    std::array<int, 2> size{};
    for (std::size_t k = 0; k < 2; ++k) {
        const double side = number_of(parts[k], "--size");
        if (!(side >= 1 && side <= largest_side && side == std::floor(side))) throw InputError(complaint);
        size[k] = static_cast<int>(side);
    }
    render.width = size[0];
    render.height = size[1];
}

void apply_camera(const PictureArguments& arguments, CameraChoice& camera)
{
    if (!arguments.camera.empty()) {
        const std::string complaint =
            "--camera " + arguments.camera + ": expected two points, as in 1,-2,1:0.5,0,0.2";
        const std::vector<std::string_view> parts = parts_of(arguments.camera, ':');
        if (parts.size() != 2) throw InputError(complaint);
        camera.from = point_of(parts[0], "--camera", complaint);
        camera.look_at = point_of(parts[1], "--camera", complaint);
    }
    if (!arguments.from.empty())
        camera.from = point_of(arguments.from, "--from",
                               "--from " + arguments.from + ": expected a point, as in 1,-2,1");
    if (!arguments.look_at.empty())
        camera.look_at = point_of(arguments.look_at, "--look_at",
                                  "--look_at " + arguments.look_at + ": expected a point, as in 0.5,0,0.2");
    if (!arguments.fov.empty()) {
        camera.fov = quantity_of(arguments.fov, "rad", degree, "--fov");
        if (!(*camera.fov > 0.0 && *camera.fov < std::numbers::pi))
            throw InputError("--fov " + arguments.fov + ": must be between 0 and 180 deg");
    }
    const auto length = [](const std::string& text, const std::string& option, double& value) {
        if (text.empty()) return;
        value = quantity_of(text, "m", 1.0, option);
        if (value < 0.0) throw InputError(option + " " + text + ": must be at least 0");
    };
    length(arguments.aperture, "--aperture", camera.aperture);
    length(arguments.focus, "--focus", camera.focus);
    if (!arguments.orbit.empty()) camera.orbit = quantity_of(arguments.orbit, "rad/s", degree, "--orbit");
}

void apply_arguments(const PictureArguments& arguments, PictureLook& look)
{
    if (!arguments.size.empty()) apply_size(arguments.size, look.render);
    if (arguments.liquid) look.liquid = true;
    if (arguments.samples && (*arguments.samples < 1 || *arguments.samples > most_samples))
        throw InputError("--samples " + std::to_string(*arguments.samples) + ": must be from 1 to " +
                         std::to_string(most_samples));
    apply_camera(arguments, look.camera);
    if (!arguments.color.empty()) {
        // The range of one field means nothing for another.
        if (arguments.color != look.color) look.range.reset();
        look.color = arguments.color;
    }
    if (!arguments.range.empty()) {
        const std::vector<std::string_view> parts = parts_of(arguments.range, ':');
        std::vector<double> ends;
        for (const std::string_view part : parts) ends.push_back(number_of(part, "--range"));
        if (ends.size() != 2 || !(ends[0] < ends[1]))
            throw InputError("--range " + arguments.range +
                             ": expected two numbers, the lower first, as in 0:3");
        look.range = ValueRange{ends[0], ends[1]};
    }
    if (!arguments.blur.empty()) {
        look.blur = number_of(arguments.blur, "--blur");
        if (!(look.blur >= 0.0 && look.blur <= 10.0))
            throw InputError("--blur " + arguments.blur + ": must be from 0 to 10, as in 0.5");
    }
    if (!arguments.style.empty()) {
        constexpr std::array<std::string_view, 2> styles = {"light", "dark"};
        if (arguments.style != styles[0] && arguments.style != styles[1])
            throw InputError("--style " + arguments.style + ": no such style, " +
                             suggestion(arguments.style, styles) + "allowed: " + word_list(styles));
        look.style = arguments.style == "dark" ? PictureStyle::Dark : PictureStyle::Light;
    }
}

} // namespace

PictureLook look_of(const RenderSettings& settings, const PictureArguments& arguments)
{
    PictureLook look;
    look.render.width = settings.size[0];
    look.render.height = settings.size[1];
    look.camera = {.from = settings.camera.from,
                   .look_at = settings.camera.look_at,
                   .fov = settings.camera.fov,
                   .aperture = settings.camera.aperture.value_or(0.0),
                   .focus = settings.camera.focus.value_or(0.0),
                   .orbit = settings.camera.orbit};
    look.color = settings.color.field;
    look.units = standard_kinds().field_units();
    if (settings.color.range) look.range = ValueRange{(*settings.color.range)[0], (*settings.color.range)[1]};
    look.style = settings.style == RenderStyle::Dark ? PictureStyle::Dark : PictureStyle::Light;
    look.blur = settings.blur.value_or(0.0);
    look.liquid = settings.liquid.value_or(false);
    apply_arguments(arguments, look);
    // What lies in a liquid is often in the shade, where noise shows.
    look.render.samples =
        arguments.samples ? *arguments.samples : settings.samples.value_or(look.liquid ? 32 : 16);
    return look;
}

} // namespace phyxel::command
