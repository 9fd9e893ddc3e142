// SPDX-License-Identifier: MIT
#include <phyxel/approx/crack_resampling.h>

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace phyxel {
namespace {

/// How many places are tried for each new node before it is given up.
constexpr int most_tries = 100;

/// How far from their parent new nodes are put, in spacings: up to its neighbours.
constexpr double reach = 1.0;

class Resampler {
public:
    Resampler(std::span<const Vec<2>> nodes, const SupportRadii& radii, const CrackVisibility& cracks,
              const CrackResamplingOptions& options)
        : nodes_(nodes),
          radii_(radii),
          cracks_(cracks),
          options_(options)
    {
        result_.positions.assign(nodes.begin(), nodes.end());
        for (std::size_t i = 0; i < nodes.size(); ++i) result_.radii.push_back(radii[i]);
        result_.parents.resize(nodes.size());
        std::iota(result_.parents.begin(), result_.parents.end(), Index(0));
        result_.mass_shares.assign(nodes.size(), 1.0);
    }

    ResampledNodes run()
    {
        std::vector<Index> all(nodes_.size());
        std::iota(all.begin(), all.end(), Index(0));
        const AnyMlsWeight<2> weight = make_mls_weight<2>(options_.weight);
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            // Of the nodes as they were, so that the order of splitting does not matter to who is split.
            const double omega = sampling_number(i, nodes_, radii_, all, cracks_, weight);
            if (omega < options_.least_sampling)
                split(i, static_cast<int>(std::ceil(options_.least_sampling - omega)));
        }
        return std::move(result_);
    }

private:
    void split(std::size_t parent, int count)
    {
        const std::size_t first = result_.positions.size();
        Rng rng(options_.seed, parent);
        for (int k = 0; k < count; ++k)
            for (int t = 0; t < most_tries; ++t)
                if (try_place(nodes_[parent], rng)) break;
        const std::size_t family = result_.positions.size() - first + 1;
        const double share = 1 / static_cast<double>(family);
        const double radius = radii_[parent] * std::max(options_.least_radius, std::sqrt(share));
        result_.radii[parent] = radius;
        result_.mass_shares[parent] = share;
        result_.radii.resize(result_.positions.size(), radius);
        result_.parents.resize(result_.positions.size(), static_cast<Index>(parent));
        result_.mass_shares.resize(result_.positions.size(), share);
    }

    /// Throws a dart at the disc around the parent.
    bool try_place(const Vec<2>& parent, Rng& rng)
    {
        const double distance = reach * cracks_.spacing() * std::sqrt(rng.uniform());
        const double angle = 2 * std::numbers::pi * rng.uniform();
        const Vec<2> x = parent + distance * Vec<2>(std::cos(angle), std::sin(angle));
        if (options_.is_inside && !options_.is_inside(x)) return false;
        if (cracks_.lengthening(x, parent) > 0) return false;
        const double least = options_.least_distance * cracks_.spacing();
        for (const Vec<2>& other : result_.positions)
            if ((x - other).squaredNorm() < least * least) return false;
        result_.positions.push_back(x);
        return true;
    }

    std::span<const Vec<2>> nodes_;
    const SupportRadii& radii_;
    const CrackVisibility& cracks_;
    const CrackResamplingOptions& options_;
    ResampledNodes result_;
};

} // namespace

ResampledNodes resample_near_cracks(std::span<const Vec<2>> nodes, const SupportRadii& radii,
                                    const CrackVisibility& cracks, const CrackResamplingOptions& options)
{
    radii.check(nodes.size());
    for (const Vec<2>& x : nodes)
        if (!x.allFinite()) throw InputError("a node near cracks is not finite");
    const auto is_share = [](double value) { return value > 0 && value <= 1; };
    if (!(options.least_sampling >= 0 && options.least_sampling <= 1000) ||
        !is_share(options.least_distance) || !is_share(options.least_radius))
        throw InputError("resampling near cracks: the least sampling must be from 0 to 1000, the least "
                         "distance and radius above 0 and at most 1");
    return Resampler(nodes, radii, cracks, options).run();
}

} // namespace phyxel
