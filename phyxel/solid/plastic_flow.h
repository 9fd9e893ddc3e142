// SPDX-License-Identifier: MIT
// Plastic flow: what a phyxel forgets of its deformation. By default the deformation is split, F = Fₑ Fₚ with
// det Fₚ = 1, so that flow keeps volume however far it goes; flow brings the elastic logarithmic strain back
// along itself. The published way takes plastic strain off Green's strain instead [MKN*04, Sec. 4.1; AW09,
// Eq. 69], which keeps volume for small strains only.
//
// All that is remembered is one symmetric matrix, which laws take as what is at rest: (FₚᵀFₚ)⁻¹ by default,
// and I + 2 Eₚ in the published way.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/solid/elastic_law.h>
#include <phyxel/solid/solid_material.h>

namespace phyxel {

/// A phyxel after it has flown.
template <int Dim>
struct FlowStep {
    Mat<Dim> shape = Mat<Dim>::Identity(); ///< what is remembered
    double strain = 0.0;                   ///< plastic strain that was added
};

/// A small value, as elastic laws are. For a material that does not yield there is nothing to do.
template <int Dim>
class PlasticFlow {
public:
    PlasticFlow() = default;
    explicit PlasticFlow(const SolidMaterial& material, Fault fault = Fault::None);

    bool yields() const { return yields_; }
    /// Whether it bears no shear but while it is forgotten.
    bool is_liquid() const { return yields_ && !has_yield(); }
    /// Whether what has flown counts, also after the material was made one that does not yield.
    bool remembers() const { return yields_ || keeps_; }

    /// Whether what has never flown could be about to. Most phyxels never do, and that is found out with a
    /// few numbers: with C = FᵀF, |dev b|² = tr C² − (tr C)²/3 in space; in the plane, where one stretch is
    /// 1, the same with 1 added to both traces.
    bool may_begin(const Mat<Dim>& F) const
    {
        if (!yields_ || law_ == FlowLaw::Published) return yields_;
        const double J = determinant<Dim>(F, cofactor(F));
        double trace = Dim == 2 ? 1.0 : 0.0, squares = trace;
        for (int c = 0; c < Dim; ++c) {
            const double along = F.col(c).squaredNorm();
            trace += along;
            if (yield_stress_ == 0.0) continue;
            squares += along * along;
            for (int d = 0; d < c; ++d) {
                const double across = F.col(c).dot(F.col(d));
                squares += 2.0 * across * across;
            }
        }
        // (tr C)³ > (bound J^⅔)³ needs no root.
        if (yield_stress_ == 0.0) return trace * trace * trace > beginning_ * J * J;
        return squares - trace * trace / 3.0 > beginning_ * J * J;
    }

    /// What a phyxel with the deformation F remembers after `dt` [s], if it remembered `shape` before and its
    /// plastic strain was `strain`. Not for one that is turned inside out.
    FlowStep<Dim> flow(const Mat<Dim>& F, const Mat<Dim>& shape, double strain, double dt) const;

    /// What is left of the stiffness once so much has flown: that of a secant, from rest to where it yields
    /// now. What keeps neighbours in line must give way as the material does, or it would hold what flows.
    double stiffness_left(double strain) const;

private:
    FlowStep<Dim> flow_in_green_strain(const Mat<Dim>& F, const Mat<Dim>& shape, double strain,
                                       double dt) const;
    bool has_yield() const { return yield_strain_ > 0.0 || yield_stress_ > 0.0; }
    FlowStep<Dim> as_liquid(const Mat<Dim>& F, const Mat<Dim>& cof, double J, const Mat<Dim>& shape) const;
    double trace_below(double yield) const;
    double hardened(double strain) const;
    double elastic_strain_after(double elastic, double yielding, double strain, double dt) const;

    bool yields_ = false;
    bool keeps_ = false; ///< its law takes what has flown, whether it yields or not
    FlowLaw law_ = FlowLaw::Return;
    double mu_ = 0.0;             ///< [Pa]
    double yield_strain_ = 0.0;   ///< norm of the elastic strain; 0 if a stress is given
    double yield_stress_ = 0.0;   ///< von Mises' [Pa]; 0 if a strain is given
    double hardening_ = 0.0;      ///< [Pa]
    double most_hardening_ = 0.0; ///< of what dies out [Pa]
    double hardening_rate_ = 0.0; ///< at which it does so
    double creep_rate_ = 0.0;     ///< [1/s]
    double most_ = 0.0;           ///< largest plastic strain
    double beginning_ = 0.0;      ///< bound of may_begin(), over J²
    Fault fault_ = Fault::None;
};

extern template class PlasticFlow<2>;
extern template class PlasticFlow<3>;

} // namespace phyxel
