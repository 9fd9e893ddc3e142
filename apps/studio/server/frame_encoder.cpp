// SPDX-License-Identifier: MIT
#include "frame_encoder.h"

#include <phyxel/core/state_hash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace phyxel::studio {
namespace {

constexpr double steps = 65535.0;

/// Little-endian numbers one after the other; we only run on machines that store them so.
class Bytes {
public:
    template <class T>
    void add(T value) requires std::is_arithmetic_v<T>
    {
        add_all(std::span<const T>(&value, 1));
    }

    template <class T>
    void add_all(std::span<const T> values)
    {
        if (values.empty()) return;
        const std::size_t begin = bytes_.size();
        bytes_.resize(begin + values.size_bytes());
        std::memcpy(bytes_.data() + begin, values.data(), values.size_bytes());
    }

    void align() { bytes_.resize((bytes_.size() + 3) / 4 * 4); }

    std::vector<std::byte> take() { return std::move(bytes_); }
    void reserve(std::size_t size) { bytes_.reserve(size); }

private:
    std::vector<std::byte> bytes_;
};

/// An interval in single precision that holds all the values given.
struct Range {
    float low = 0.0f;
    float size = 0.0f;

    Range() = default;
    Range(double least, double greatest)
    {
        if (!(least <= greatest)) return;
        constexpr float infinity = std::numeric_limits<float>::infinity();
        low = static_cast<float>(least);
        if (static_cast<double>(low) > least) low = std::nextafter(low, -infinity);
        size = static_cast<float>(greatest - static_cast<double>(low));
        while (static_cast<double>(low) + static_cast<double>(size) < greatest)
            size = std::nextafter(size, infinity);
    }

    double scale() const { return size > 0.0f ? steps / static_cast<double>(size) : 0.0; }
};

std::uint16_t quantize(double value, double low, double scale)
{
    const double q = std::floor((value - low) * scale + 0.5);
    // What is not a number is at the lower end.
    return q > 0.0 ? static_cast<std::uint16_t>(std::min(q, steps)) : std::uint16_t(0);
}

constexpr double most = 1e30; // that is drawn, where something has burst

void add_positions(Bytes& out, std::span<const Vec<3>> points)
{
    std::array<Range, 3> ranges;
    for (int k = 0; k < 3; ++k) {
        double least = std::numeric_limits<double>::infinity();
        double greatest = -least;
        for (const Vec<3>& x : points) {
            if (!(std::abs(x[k]) < most)) continue;
            least = std::min(least, x[k]);
            greatest = std::max(greatest, x[k]);
        }
        ranges[static_cast<std::size_t>(k)] = Range(least, greatest);
    }
    for (const Range& range : ranges) out.add(range.low);
    for (const Range& range : ranges) out.add(range.size);
    std::vector<std::uint16_t> q(3 * points.size());
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = static_cast<double>(ranges[k].low);
        const double scale = ranges[k].scale();
        for (std::size_t i = 0; i < points.size(); ++i)
            q[3 * i + k] = quantize(points[i][static_cast<int>(k)], low, scale);
    }
    out.add_all(std::span<const std::uint16_t>(q));
    out.align();
}

void add_color(Bytes& out, const Field& field)
{
    const std::vector<double> values = magnitudes(field);
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    for (const double value : values) {
        if (!(std::abs(value) < most)) continue;
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    const Range range(least, greatest);
    out.add(range.low);
    out.add(range.low + range.size);
    std::vector<std::uint16_t> q(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        q[i] = quantize(values[i], static_cast<double>(range.low), range.scale());
    out.add_all(std::span<const std::uint16_t>(q));
    out.align();
}

const Field* find_field(const std::vector<Field>& fields, std::string_view name)
{
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

void add_ids(Bytes& out, const Snapshot& snapshot)
{
    std::vector<std::uint32_t> ids(snapshot.points.size());
    const Field* field = snapshot.find("id");
    const auto* values = field != nullptr ? std::get_if<std::vector<std::uint64_t>>(&field->values) : nullptr;
    for (std::size_t i = 0; i < ids.size(); ++i)
        ids[i] = static_cast<std::uint32_t>(values != nullptr ? (*values)[i] : i);
    out.add_all(std::span<const std::uint32_t>(ids));
}

void add_normals(Bytes& out, const SurfaceMesh& surface)
{
    std::vector<std::int8_t> normals(4 * surface.vertices.size());
    if (const Field* field = find_field(surface.fields, "normal"); field != nullptr && field->components == 3)
        std::visit(
            [&](const auto& values) {
                for (std::size_t i = 0; i < surface.vertices.size(); ++i)
                    for (std::size_t k = 0; k < 3; ++k) {
                        const double n = std::nearbyint(127.0 * static_cast<double>(values[3 * i + k]));
                        normals[4 * i + k] =
                            std::isfinite(n) ? static_cast<std::int8_t>(std::clamp(n, -127.0, 127.0)) : 0;
                    }
            },
            field->values);
    out.add_all(std::span<const std::int8_t>(normals));
}

/// The half-axes of the ellipses that a skin without triangles is made of; of other surfaces nothing.
std::array<const Field*, 2> axes_of(const SurfaceMesh& surface)
{
    const std::array<const Field*, 2> axes = {find_field(surface.fields, "axis_u"),
                                              find_field(surface.fields, "axis_v")};
    const auto is_missing = [](const Field* field) { return field == nullptr || field->components != 3; };
    if (!surface.triangles.empty() || std::any_of(axes.begin(), axes.end(), is_missing)) return {};
    return axes;
}

/// As parts of the longest component, so that surfels of all sizes keep their shape.
void add_axes(Bytes& out, const std::array<const Field*, 2>& axes)
{
    double longest = 0.0;
    for (const Field* field : axes)
        std::visit(
            [&](const auto& values) {
                for (const auto value : values)
                    if (const double x = std::abs(static_cast<double>(value)); x < most)
                        longest = std::max(longest, x);
            },
            field->values);
    constexpr double parts = 32767.0;
    out.add(static_cast<float>(longest));
    for (const Field* field : axes)
        std::visit(
            [&](const auto& values) {
                std::vector<std::int16_t> q(values.size());
                for (std::size_t i = 0; i < q.size(); ++i) {
                    const double x = std::nearbyint(parts * static_cast<double>(values[i]) / longest);
                    q[i] = std::isfinite(x) ? static_cast<std::int16_t>(std::clamp(x, -parts, parts))
                                            : std::int16_t(0);
                }
                out.add_all(std::span<const std::int16_t>(q));
                out.align();
            },
            field->values);
}

std::uint64_t hash_of(std::span<const std::array<Index, 3>> triangles, std::size_t vertices)
{
    StateHash hash;
    hash.add(static_cast<std::uint64_t>(vertices));
    hash.add(triangles);
    return hash.value();
}

} // namespace

std::uint32_t field_hash(std::string_view name)
{
    std::uint32_t hash = 0x811c9dc5u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
    return hash;
}

FrameContent make_content(std::uint64_t frame, double time, std::vector<Snapshot> snapshots)
{
    FrameContent content{frame, time, {}};
    for (Snapshot& snapshot : snapshots) {
        StreamBody& body = content.bodies.emplace_back();
        StateHash ids;
        ids.add(static_cast<std::uint64_t>(snapshot.points.size()));
        if (const Field* field = snapshot.find("id"))
            std::visit([&](const auto& values) { ids.add(std::span(values)); }, field->values);
        body.ids_version = ids.value();
        if (snapshot.surface)
            body.topology_version = hash_of(snapshot.surface->triangles, snapshot.surface->vertices.size());
        body.snapshot = std::move(snapshot);
    }
    return content;
}

/// Bytes that are needed at most. The pages of a client that does not read are all that it costs, so they
/// should not be more than they must.
std::size_t FrameEncoder::size_of(const FrameContent& content, const ClientView& view, bool is_colored) const
{
    constexpr std::size_t heads = 128, position = 6, color = 2, id = 4, normal = 4, axes = 12, corners = 12;
    std::size_t size = heads;
    for (std::size_t k = 0; k < content.bodies.size(); ++k) {
        const StreamBody& body = content.bodies[k];
        const bool has_ids = body.ids_version != sent_[k].ids_version;
        size +=
            heads + body.snapshot.points.size() * (position + (is_colored ? color : 0) + (has_ids ? id : 0));
        if (!view.shows_surface_of(body)) continue;
        size += body.snapshot.surface->vertices.size() * (position + normal + (is_colored ? color : 0));
        if (axes_of(*body.snapshot.surface)[0] != nullptr)
            size += body.snapshot.surface->vertices.size() * axes;
        if (body.topology_version != sent_[k].topology_version)
            size += body.snapshot.surface->triangles.size() * corners;
    }
    return size;
}

std::vector<std::byte> FrameEncoder::encode(const StreamFrame& frame, const ClientView& view,
                                            std::uint32_t serial)
{
    const FrameContent& content = *frame.content;
    if (frame.sitting != sitting_ || sent_.size() != content.bodies.size()) {
        sitting_ = frame.sitting;
        sent_.assign(content.bodies.size(), {});
    }
    const bool is_colored = view.color != "body" && !view.color.empty();
    Bytes out;
    out.reserve(size_of(content, view, is_colored));
    out.add(frame_magic);
    out.add(serial);
    out.add(frame.sitting);
    out.add(static_cast<std::uint32_t>(content.frame));
    out.add(content.time);
    out.add(static_cast<std::uint32_t>(content.bodies.size()));
    out.add(is_colored ? field_hash(view.color) : std::uint32_t(0));
    for (std::size_t k = 0; k < content.bodies.size(); ++k) {
        const StreamBody& body = content.bodies[k];
        const Snapshot& snapshot = body.snapshot;
        const SurfaceMesh* surface = view.shows_surface_of(body) ? &*snapshot.surface : nullptr;
        const Field* color = is_colored ? snapshot.find(view.color) : nullptr;
        const Field* surface_color =
            color != nullptr && surface != nullptr ? find_field(surface->fields, view.color) : nullptr;
        // A surface that lacks the field is not drawn with values that it does not have.
        if (surface != nullptr && surface_color == nullptr) color = nullptr;
        const std::array<const Field*, 2> axes =
            surface != nullptr ? axes_of(*surface) : std::array<const Field*, 2>{};
        std::uint32_t flags = 0;
        if (body.ids_version != sent_[k].ids_version) flags |= HasIds;
        if (color != nullptr) flags |= HasColor;
        if (surface != nullptr) flags |= HasSurface;
        if (surface != nullptr && body.topology_version != sent_[k].topology_version) flags |= HasTriangles;
        if (axes[0] != nullptr) flags |= HasAxes;

        out.add(static_cast<std::uint32_t>(k));
        out.add(flags);
        out.add(static_cast<std::uint32_t>(snapshot.points.size()));
        add_positions(out, snapshot.points);
        if (flags & HasIds) add_ids(out, snapshot);
        if (color != nullptr) add_color(out, *color);
        if (surface != nullptr) {
            out.add(static_cast<std::uint32_t>(surface->vertices.size()));
            add_positions(out, surface->vertices);
            add_normals(out, *surface);
            if (flags & HasAxes) add_axes(out, axes);
            if (surface_color != nullptr) add_color(out, *surface_color);
            if (flags & HasTriangles) {
                out.add(static_cast<std::uint32_t>(surface->triangles.size()));
                for (const std::array<Index, 3>& triangle : surface->triangles)
                    for (const Index corner : triangle) out.add(static_cast<std::uint32_t>(corner));
            }
            sent_[k].topology_version = body.topology_version;
        }
        sent_[k].ids_version = body.ids_version;
    }
    return out.take();
}

} // namespace phyxel::studio
