// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/motion.h>

#include <algorithm>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Step of differences. [s]
constexpr double difference_step = 1e-4;

/// Slope at an inner key between secants `before` and `after` over intervals of the given lengths: zero where
/// they have different signs, otherwise their weighted harmonic mean (Brodlie's, as in [FB84]),
/// which keeps both neighbouring cubics monotone.
double monotone_slope(double before, double after, double length_before, double length_after)
{
    if (before * after <= 0) return 0.0;
    const double weight = (length_before + 2 * length_after) / (3 * (length_before + length_after));
    return before * after / (weight * after + (1 - weight) * before);
}

template <int Size>
Vec<Size> monotone_slopes(const Vec<Size>& a, const Vec<Size>& b, const Vec<Size>& c, double length_before,
                          double length_after)
{
    Vec<Size> slopes;
    for (int k = 0; k < Size; ++k)
        slopes[k] = monotone_slope((b[k] - a[k]) / length_before, (c[k] - b[k]) / length_after, length_before,
                                   length_after);
    return slopes;
}

/// Weights of the values and slopes at the two ends of an interval, at s in [0, 1].
struct HermiteWeights {
    double from, to, from_slope, to_slope;

    static HermiteWeights of_value(double s, double length)
    {
        const double rest = 1 - s;
        return {(1 + 2 * s) * rest * rest, s * s * (3 - 2 * s), length * s * rest * rest,
                -length * s * s * rest};
    }
    static HermiteWeights of_rate(double s, double length)
    {
        const double rest = 1 - s;
        return {-6 * s * rest / length, 6 * s * rest / length, rest * (1 - 3 * s), s * (3 * s - 2)};
    }
    static HermiteWeights of_line(double s) { return {1 - s, s, 0, 0}; }
    static HermiteWeights of_line_rate(double length) { return {-1 / length, 1 / length, 0, 0}; }
};

/// The interval [keys[i], keys[i + 1]) that holds the time, and where in it.
template <int Dim>
struct KeyInterval {
    std::size_t first;
    double length;
    double s;

    KeyInterval(const std::vector<MotionKey<Dim>>& keys, double time)
    {
        const auto next = std::upper_bound(keys.begin(), keys.end(), time,
                                           [](double t, const MotionKey<Dim>& key) { return t < key.time; });
        first = static_cast<std::size_t>(next - keys.begin()) - 1;
        length = keys[first + 1].time - keys[first].time;
        s = (time - keys[first].time) / length;
    }
};

template <int Dim>
Displacement<Dim> weighted(const std::vector<MotionKey<Dim>>& keys,
                           const std::vector<Displacement<Dim>>& slopes, std::size_t first,
                           const HermiteWeights& w)
{
    const MotionKey<Dim>& a = keys[first];
    const MotionKey<Dim>& b = keys[first + 1];
    Displacement<Dim> result{w.from * a.move + w.to * b.move, w.from * a.rotate + w.to * b.rotate};
    if (!slopes.empty()) {
        result.move += w.from_slope * slopes[first].move + w.to_slope * slopes[first + 1].move;
        result.rotate += w.from_slope * slopes[first].rotate + w.to_slope * slopes[first + 1].rotate;
    }
    return result;
}

/// The spin of R_z R_y R_x whose angles change at the given rates.
Vec<3> angular_velocity(const Angles<3>& angles, const Angles<3>& rates)
{
    const Mat<3> turn_z = rotation_matrix(Angles<3>(0, 0, angles[2]));
    const Mat<3> turn_y = rotation_matrix(Angles<3>(0, angles[1], 0));
    return rates[2] * Vec<3>::UnitZ() +
           turn_z * (rates[1] * Vec<3>::UnitY() + turn_y * (rates[0] * Vec<3>::UnitX()));
}

Vec<1> angular_velocity(const Angles<2>&, const Angles<2>& rates) { return rates; }

} // namespace

template <int Dim>
Motion<Dim>::Motion(std::vector<MotionKey<Dim>> keys, Interpolation interpolation, const Vec<Dim>& about)
    : about_(about)
{
    detail::require_finite_value<Dim>(about, "motion: about");
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string name = "motion: keys[" + std::to_string(i) + "]";
        detail::require_finite_value(keys[i].time, name + ".time");
        detail::require_finite_value<Dim>(keys[i].move, name + ".move");
        detail::require_finite_value<Angles<Dim>::RowsAtCompileTime>(keys[i].rotate, name + ".rotate");
        if (i > 0 && !(keys[i].time > keys[i - 1].time))
            throw InputError(name + ".time is " + detail::text_of(keys[i].time) +
                             ", must be later than the " + detail::text_of(keys[i - 1].time) +
                             " of the key before");
    }

    std::vector<Displacement<Dim>> slopes;
    if (interpolation == Interpolation::Smooth) {
        slopes.resize(keys.size());
        for (std::size_t i = 1; i + 1 < keys.size(); ++i) {
            const MotionKey<Dim>& a = keys[i - 1];
            const MotionKey<Dim>& b = keys[i];
            const MotionKey<Dim>& c = keys[i + 1];
            const double before = b.time - a.time;
            const double after = c.time - b.time;
            slopes[i].move = monotone_slopes<Dim>(a.move, b.move, c.move, before, after);
            slopes[i].rotate =
                monotone_slopes<Angles<Dim>::RowsAtCompileTime>(a.rotate, b.rotate, c.rotate, before, after);
        }
    }
    source_ = Keys{std::move(keys), std::move(slopes)};
}

template <int Dim>
Motion<Dim>::Motion(Function displacement, Function rate, const Vec<Dim>& about)
    : source_(Formulas{std::move(displacement), std::move(rate)}),
      about_(about)
{
    detail::require_finite_value<Dim>(about, "motion: about");
}

template <int Dim>
Motion<Dim>::Motion(Function displacement, const Vec<Dim>& about)
    : Motion(
          displacement,
          [displacement](double time) {
              constexpr double h = difference_step;
              const Displacement<Dim> a = displacement(time - 2 * h);
              const Displacement<Dim> b = displacement(time - h);
              const Displacement<Dim> c = displacement(time + h);
              const Displacement<Dim> d = displacement(time + 2 * h);
              return Displacement<Dim>{(8 * (c.move - b.move) - (d.move - a.move)) / (12 * h),
                                       (8 * (c.rotate - b.rotate) - (d.rotate - a.rotate)) / (12 * h)};
          },
          about)
{
}

template <int Dim>
Displacement<Dim> Motion<Dim>::displacement(double time) const
{
    if (const Formulas* formulas = std::get_if<Formulas>(&source_)) return formulas->displacement(time);
    const auto& [keys, slopes] = std::get<Keys>(source_);
    if (keys.empty()) return {};
    if (time <= keys.front().time) return {keys.front().move, keys.front().rotate};
    if (time >= keys.back().time) return {keys.back().move, keys.back().rotate};
    const KeyInterval<Dim> interval(keys, time);
    return weighted(keys, slopes, interval.first,
                    slopes.empty() ? HermiteWeights::of_line(interval.s)
                                   : HermiteWeights::of_value(interval.s, interval.length));
}

template <int Dim>
Displacement<Dim> Motion<Dim>::rate(double time) const
{
    if (const Formulas* formulas = std::get_if<Formulas>(&source_)) return formulas->rate(time);
    const auto& [keys, slopes] = std::get<Keys>(source_);
    if (keys.empty() || time < keys.front().time || time >= keys.back().time) return {};
    const KeyInterval<Dim> interval(keys, time);
    return weighted(keys, slopes, interval.first,
                    slopes.empty() ? HermiteWeights::of_line_rate(interval.length)
                                   : HermiteWeights::of_rate(interval.s, interval.length));
}

template <int Dim>
Pose<Dim> Motion<Dim>::pose(double time) const
{
    const Displacement<Dim> d = displacement(time);
    const Mat<Dim> R = rotation_matrix(d.rotate);
    const Pose<Dim> moved{R, about_ + d.move - R * about_};
    return start_ ? moved.after(*start_) : moved;
}

template <int Dim>
Motion<Dim> Motion<Dim>::continued_from(const Pose<Dim>& place, double time) const
{
    Motion continued = *this;
    continued.start_.reset();
    continued.start_ = continued.pose(time).inverse().after(place);
    return continued;
}

template <int Dim>
RigidVelocity<Dim> Motion<Dim>::velocity(double time) const
{
    const Displacement<Dim> d = displacement(time);
    const Displacement<Dim> v = rate(time);
    return {v.move, angular_velocity(d.rotate, v.rotate), about_ + d.move};
}

template class Motion<2>;
template class Motion<3>;

} // namespace phyxel
