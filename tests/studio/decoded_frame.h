// SPDX-License-Identifier: MIT
// Reads the bytes of a frame as the page does, written from the documentation of the layout.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace phyxel::studio {

struct DecodedPoints {
    std::array<float, 3> min{}, size{};
    std::vector<std::array<double, 3>> positions;
};

struct DecodedSurface {
    DecodedPoints vertices;
    std::vector<std::array<std::int8_t, 4>> normals;
    std::array<std::vector<std::array<double, 3>>, 2> axes; ///< of surfels
    std::vector<double> color;
    std::optional<std::vector<std::uint32_t>> triangles;
};

struct DecodedBody {
    std::uint32_t number = 0, flags = 0;
    DecodedPoints points;
    std::vector<std::uint32_t> ids;
    std::vector<double> color;
    float low = 0.0f, high = 0.0f; ///< of the colour
    std::optional<DecodedSurface> surface;
};

struct DecodedFrame {
    std::uint32_t magic = 0, serial = 0, sitting = 0, frame = 0, color_hash = 0;
    double time = 0.0;
    std::vector<DecodedBody> bodies;
};

/// Throws if the bytes are too few, too many, or a section is not aligned.
class FrameDecoder {
public:
    explicit FrameDecoder(std::span<const std::byte> bytes) : bytes_(bytes) {}

    DecodedFrame decode()
    {
        DecodedFrame frame;
        frame.magic = take<std::uint32_t>();
        frame.serial = take<std::uint32_t>();
        frame.sitting = take<std::uint32_t>();
        frame.frame = take<std::uint32_t>();
        frame.time = take<double>();
        frame.bodies.resize(take<std::uint32_t>());
        frame.color_hash = take<std::uint32_t>();
        for (DecodedBody& body : frame.bodies) decode(body);
        if (place_ != bytes_.size()) throw std::runtime_error("bytes are left over");
        return frame;
    }

private:
    void decode(DecodedBody& body)
    {
        body.number = take<std::uint32_t>();
        body.flags = take<std::uint32_t>();
        const auto count = take<std::uint32_t>();
        body.points = take_points(count);
        if (body.flags & 1u) body.ids = take_list<std::uint32_t>(count);
        if (body.flags & 2u) body.color = take_color(count, body.low, body.high);
        if (!(body.flags & 4u)) return;
        DecodedSurface& surface = body.surface.emplace();
        const auto vertices = take<std::uint32_t>();
        surface.vertices = take_points(vertices);
        surface.normals = take_list<std::array<std::int8_t, 4>>(vertices);
        if (body.flags & 16u) surface.axes = take_axes(vertices);
        float low = 0.0f, high = 0.0f;
        if (body.flags & 2u) surface.color = take_color(vertices, low, high);
        if (body.flags & 8u) surface.triangles = take_list<std::uint32_t>(3 * take<std::uint32_t>());
    }

    DecodedPoints take_points(std::uint32_t count)
    {
        DecodedPoints points;
        points.min = take<std::array<float, 3>>();
        points.size = take<std::array<float, 3>>();
        const auto q = take_list<std::array<std::uint16_t, 3>>(count);
        align();
        for (const auto& x : q) {
            auto& position = points.positions.emplace_back();
            for (std::size_t k = 0; k < 3; ++k)
                position[k] =
                    static_cast<double>(points.min[k]) + static_cast<double>(points.size[k]) * x[k] / 65535.0;
        }
        return points;
    }

    std::array<std::vector<std::array<double, 3>>, 2> take_axes(std::uint32_t count)
    {
        const auto longest = static_cast<double>(take<float>());
        std::array<std::vector<std::array<double, 3>>, 2> axes;
        for (auto& axis : axes) {
            for (const auto& q : take_list<std::array<std::int16_t, 3>>(count)) {
                auto& vector = axis.emplace_back();
                for (std::size_t k = 0; k < 3; ++k) vector[k] = longest * q[k] / 32767.0;
            }
            align();
        }
        return axes;
    }

    std::vector<double> take_color(std::uint32_t count, float& low, float& high)
    {
        low = take<float>();
        high = take<float>();
        std::vector<double> values;
        for (const std::uint16_t v : take_list<std::uint16_t>(count))
            values.push_back(static_cast<double>(low) +
                             (static_cast<double>(high) - static_cast<double>(low)) * v / 65535.0);
        align();
        return values;
    }

    template <class T>
    T take()
    {
        return take_list<T>(1).front();
    }

    template <class T>
    std::vector<T> take_list(std::size_t count)
    {
        if (place_ % 4 != 0) throw std::runtime_error("not aligned");
        if (count * sizeof(T) > bytes_.size() - place_) throw std::runtime_error("too few bytes");
        std::vector<T> list(count);
        if (count > 0) std::memcpy(list.data(), bytes_.data() + place_, count * sizeof(T));
        place_ += count * sizeof(T);
        return list;
    }

    void align() { place_ = (place_ + 3) / 4 * 4; }

    std::span<const std::byte> bytes_;
    std::size_t place_ = 0;
};

inline DecodedFrame decode_frame(std::span<const std::byte> bytes) { return FrameDecoder(bytes).decode(); }

} // namespace phyxel::studio
