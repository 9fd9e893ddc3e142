// SPDX-License-Identifier: MIT
#include <phyxel/geometry/rigid_fit.h>

#include <phyxel/core/assert.h>

#include <Eigen/SVD>

namespace phyxel {

RigidFit fit_rigid(std::span<const Vec<3>> rest, std::span<const Vec<3>> now, const Vec<3>& center,
                   const Mat<3>& guess)
{
    PHYXEL_ASSERT(!rest.empty() && rest.size() == now.size());
    // So much less than the points tell that only what they do not tell is decided by it.
    constexpr double share_of_guess = 1e-9;
    Vec<3> middle_at_rest = Vec<3>::Zero(), middle = Vec<3>::Zero();
    for (std::size_t k = 0; k < rest.size(); ++k) {
        middle_at_rest += rest[k];
        middle += now[k];
    }
    middle_at_rest /= static_cast<double>(rest.size());
    middle /= static_cast<double>(rest.size());
    Mat<3> covariance = Mat<3>::Zero();
    for (std::size_t k = 0; k < rest.size(); ++k)
        covariance += (now[k] - middle) * (rest[k] - middle_at_rest).transpose();
    const double told = covariance.norm() > 0.0 ? covariance.norm() : 1.0;
    const Eigen::JacobiSVD<Mat<3>> parts(covariance + share_of_guess * told * guess,
                                         Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat<3> sign = Mat<3>::Identity();
    sign(2, 2) = (parts.matrixU() * parts.matrixV().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
    const Mat<3> rotation = parts.matrixU() * sign * parts.matrixV().transpose();
    return {middle + rotation * (center - middle_at_rest), rotation};
}

} // namespace phyxel
