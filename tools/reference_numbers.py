#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Works out the numbers that some cases of `phyxel verify` are compared with, from formulas and by other means than
the library: sums over lattices, eigenvalues of a matrix that is put together entry by entry, shape functions by
elimination. docs/verification.md says what is computed. Prints one number a line, with the name of its case; a test
compares them with the references of the cases.

Needs numpy. Run as: reference_numbers.py [BEGINNING OF A CASE'S NAME…]
"""

import itertools
import math
import sys

import numpy as np

# V-F1: density of a lattice with m = ρ₀ a^d, in units of ρ₀: Σ ω over the points of the lattice, with a = 1. The kernels
# are written by their profile in q = r/h and the integral of that profile over the ball, which scales them.

PROFILES = {
    "poly6": lambda q: (1 - q * q) ** 3,
    "spiky": lambda q: (1 - q) ** 3,
    "cubic_spline": lambda q: 1 - 6 * q**2 + 6 * q**3 if q < 0.5 else 2 * (1 - q) ** 3,
    "wendland_c2": lambda q: (1 - q) ** 4 * (1 + 4 * q),
}


def ball_integral(profile, dimension):
    """∫ profile(|x|) dx over the unit ball, by Gauss and Legendre on both sides of the knot at ½."""
    nodes, weights = np.polynomial.legendre.leggauss(32)
    sphere = {2: 2 * math.pi, 3: 4 * math.pi}[dimension]
    total = 0.0
    for low, high in [(0.0, 0.5), (0.5, 1.0)]:
        for t, w in zip(nodes, weights):
            q = 0.5 * (low + high) + 0.5 * (high - low) * t
            total += 0.5 * (high - low) * w * sphere * q ** (dimension - 1) * profile(q)
    return total


def lattice_sum(profile, dimension, ratio):
    reach = math.ceil(ratio)
    terms = []
    for site in itertools.product(range(-reach, reach + 1), repeat=dimension):
        q = math.sqrt(sum(k * k for k in site)) / ratio
        if q < 1:
            terms.append(profile(q))
    return math.fsum(terms) / (ball_integral(profile, dimension) * ratio**dimension)


def lattice_numbers():
    for kernel, profile in PROFILES.items():
        for ratio in [2, 2.6, 3, 4]:
            for dimension in [2, 3]:
                if kernel in ("poly6", "spiky") and ratio == 2.6 or kernel == "spiky" and dimension == 2:
                    continue
                yield f"V-F1/{kernel}/{ratio:g}/{dimension}d", lattice_sum(profile, dimension, ratio)


# V-E5, V-E7: an elastic cube of 8³ phyxels on a lattice with a = 1, E = ρ = 1 and ν = 0.3, small displacements u.
#
#   ∇u_i = Σ_j w_ij (u_j − u_i) (A_i⁻¹ X_ij)ᵀ,  A_i = Σ_j w_ij X_ij X_ijᵀ,  w = (1 − r²/h²)³,
#   energy = Σ_i ½ ε_i : C : ε_i + ½ b_i Σ_j w_ij/r² |u_j − u_i − ∇u_i X_ij|²,  b_i = β E / Σ_j w_ij
#
# The matrix K is the second derivative of that. Masses are 1, so its eigenvalues are squares of frequencies.


def cube_eigenvalues(support, stabilization, side=8):
    points = np.array(list(itertools.product(range(side), repeat=3)), dtype=float)
    count = len(points)
    lam = 0.3 / (1.3 * 0.4)
    mu = 1 / 2.6
    # Strain in the order xx yy zz xy yz zx, with shear doubled.
    elasticity = np.zeros((6, 6))
    elasticity[:3, :3] = lam
    elasticity[range(3), range(3)] += 2 * mu
    elasticity[range(3, 6), range(3, 6)] = mu
    K = np.zeros((3 * count, 3 * count))
    for i in range(count):
        offsets = points - points[i]
        r2 = (offsets**2).sum(axis=1)
        near = np.flatnonzero((r2 < support**2) & (r2 > 0))
        X = offsets[near]
        w = (1 - r2[near] / support**2) ** 3
        A = (w[:, None, None] * X[:, :, None] * X[:, None, :]).sum(axis=0)
        D = w[:, None] * np.linalg.solve(A, X.T).T  # ∇u = Σ_j (u_j − u_i) D_jᵀ
        ids = np.append(near, i)
        slopes = np.vstack([D, -D.sum(axis=0)])
        unknowns = (3 * ids[:, None] + np.arange(3)).ravel()
        B = np.zeros((6, len(unknowns)))
        for k, (dx, dy, dz) in enumerate(slopes):
            B[:, 3 * k : 3 * k + 3] = [
                [dx, 0, 0], [0, dy, 0], [0, 0, dz], [dy, dx, 0], [0, dz, dy], [dz, 0, dx],
            ]
        local = B.T @ elasticity @ B
        if stabilization > 0:
            b = stabilization / w.sum()
            for k in range(len(near)):
                # u_j − u_i − ∇u X_ij, one row of coefficients for all three components.
                row = -(slopes @ X[k])
                row[k] += 1
                row[-1] -= 1
                strength = b * w[k] / (X[k] @ X[k])
                block = strength * np.outer(row, row)
                for c in range(3):
                    local[c::3, c::3] += block
        K[np.ix_(unknowns, unknowns)] += local
    return np.linalg.eigvalsh(K)


def cube_numbers():
    for support in [1.8, 2.5, 3.5]:
        for name, beta in [("first_mode", 0.0), ("stabilized", 0.1)]:
            values = cube_eigenvalues(support, beta)
            yield f"V-E5/{name}/{support:g}", values[6] / values[-1]
            if (support, beta) == (1.8, 0.0):
                wave_speed = math.sqrt(0.7 / (1.3 * 0.4))
                yield "V-E7/critical_step", 2 / math.sqrt(values[-1]) * wave_speed


# V-E3, V-E4: laws with E = 1 MPa and ν = 0.3, from their energies alone. A derivative is the imaginary part of ψ beside
# a real place, which is exact to rounding.

LAME_LAMBDA = 1e6 * 0.3 / (1.3 * 0.4)
LAME_MU = 1e6 / 2.6


def determinant(F):
    return (
        F[0, 0] * (F[1, 1] * F[2, 2] - F[1, 2] * F[2, 1])
        - F[0, 1] * (F[1, 0] * F[2, 2] - F[1, 2] * F[2, 0])
        + F[0, 2] * (F[1, 0] * F[2, 1] - F[1, 1] * F[2, 0])
    )


def st_venant_kirchhoff_energy(F):
    """½λ tr²E + μ E : E, E = ½(FᵀF − I)."""
    E = 0.5 * (F.T @ F - np.eye(3))
    return 0.5 * LAME_LAMBDA * np.trace(E) ** 2 + LAME_MU * (E * E).sum()


def neo_hookean_energy(F):
    """½μ(tr FᵀF − 3) − μ ln J + ½λ ln²J."""
    log_J = np.log(determinant(F))
    return 0.5 * LAME_MU * ((F * F).sum() - 3) - LAME_MU * log_J + 0.5 * LAME_LAMBDA * log_J**2


def corotated_energy(F):
    """μ |F − R|² + ½λ(J − 1)², with R the limit of R ← ½(R + R⁻ᵀ) from F."""
    R = F
    for _ in range(60):
        R = 0.5 * (R + np.linalg.inv(R).T)
    return LAME_MU * ((F - R) * (F - R)).sum() + 0.5 * LAME_LAMBDA * (determinant(F) - 1) ** 2


LAWS = {
    "st_venant_kirchhoff": st_venant_kirchhoff_energy,
    "neo_hookean": neo_hookean_energy,
    "corotated": corotated_energy,
}


def first_piola(energy, F, r, c, volume_stiffness=0.0):
    beside = F.astype(complex)
    beside[r, c] += 1e-30j
    psi = energy(beside) + 0.5 * volume_stiffness * (determinant(beside) - 1) ** 2
    return psi.imag / 1e-30


def side_of_tension(energy, length):
    """The stretch of the sides at which they are free of stress, by halving."""
    low, high = 0.7, 1.3
    for _ in range(52):
        side = 0.5 * (low + high)
        if first_piola(energy, np.diag([length, side, side]), 1, 1) > 0:
            high = side
        else:
            low = side
    return side


def law_numbers():
    for law, energy in LAWS.items():
        # A tenth longer, or so long that the volume is 1.1 of what it was, by halving.
        low, high = 1.0, 2.0
        for _ in range(52):
            length = 0.5 * (low + high)
            if length * side_of_tension(energy, length) ** 2 > 1.1:
                high = length
            else:
                low = length
        if law == "st_venant_kirchhoff":
            length = 1.1
        side = side_of_tension(energy, length)
        yield f"V-E3/{law}/tension", first_piola(energy, np.diag([length, side, side]), 0, 0)
        sheared = np.eye(3)
        sheared[0, 1] = 0.5
        yield f"V-E4/{law}/shear", first_piola(energy, sheared, 0, 1)
        cauchy = sum(first_piola(energy, sheared, 0, k) * sheared[0, k] for k in range(3))
        yield f"V-E4/{law}/normal_stress", cauchy
        shrunk = 0.8 * np.eye(3)
        yield f"V-E4/{law}/pressure", -first_piola(energy, shrunk, 0, 0) / 0.64
        yield f"V-E4/{law}/usual_pressure", -first_piola(energy, shrunk, 0, 0, 1e5) / 0.64


# V-E/mode: frequencies of Timoshenko's beam [Hz], per unit of width. With deflection w, turn of the section φ, moment M
# and force Q: w' = φ + Q/(κGA), φ' = M/(EI), M' = −Q − ρIω²φ, Q' = −ρAω²w, and κ = 10(1 + ν)/(12 + 11ν). Both ends are
# free, or the first is held: what is left at the second is a 2 × 2 determinant, whose zeros are the frequencies.


def halve(function, low, high):
    for _ in range(60):
        middle = 0.5 * (low + high)
        if function(low) * function(middle) > 0:
            low = middle
        else:
            high = middle
    return middle


def timoshenko(youngs_modulus, poisson_ratio, density, height, length, is_held):
    area, inertia = height, height**3 / 12
    shear = 10 * (1 + poisson_ratio) / (12 + 11 * poisson_ratio) * youngs_modulus / (2 * (1 + poisson_ratio)) * area
    bending = youngs_modulus * inertia

    def determinant(frequency):
        omega2 = (2 * math.pi * frequency) ** 2
        slope = np.array(
            [
                [0, 1, 0, 1 / shear],
                [0, 0, 1 / bending, 0],
                [0, -density * inertia * omega2, 0, -1],
                [-density * area * omega2, 0, 0, 0],
            ]
        )
        values, vectors = np.linalg.eig(slope)
        through = (vectors * np.exp(values * length)) @ np.linalg.inv(vectors)
        start = [2, 3] if is_held else [0, 1]  # what is not known there
        return np.linalg.det(through[np.ix_([2, 3], start)]).real

    low = step = 1e-3 * math.sqrt(bending / (density * area)) / length**2
    while determinant(low) * determinant(low + step) > 0:
        low += step
    return halve(determinant, low, low + step)


def beam_numbers():
    yield "V-E/mode/beam/bending", timoshenko(1e7, 0.3, 1000, 0.1, 1, False)
    # In plane strain, E and ν stand for E/(1 − ν²) and ν/(1 − ν).
    nu = 0.3975
    yield "V-E/mode/cantilever", timoshenko(2e6 / (1 - nu**2), nu / (1 - nu), 1000, 0.02, 0.2, True)


# V-E/mode/cube: ωa/c_s of a free cube with ν = 0.3, by Ritz's method with products of Legendre's polynomials up to the
# degree 8 along each axis. On [−1, 1] with λ = 1.5 and μ = ρ = 1 the side is 2, so frequencies count twice.


def cube_ritz(degree=8):
    nodes, weights = np.polynomial.legendre.leggauss(degree + 1)
    values = np.array([np.polynomial.legendre.Legendre.basis(n)(nodes) for n in range(degree + 1)])
    slopes = np.array([np.polynomial.legendre.Legendre.basis(n).deriv()(nodes) for n in range(degree + 1)])
    # The slowest mode has −yz along x, xz along y and 0 along z, times what is even in x, y and z: keep such polynomials.
    odd_in = [(1, 2), (0, 2), (0, 1)]
    basis = []
    for component in range(3):
        parities = [range(1 if axis in odd_in[component] else 0, degree + 1, 2) for axis in range(3)]
        basis += [(component, *powers) for powers in itertools.product(*parities)]
    one_d = {
        (a, b): (slopes if a else values) * weights @ (slopes if b else values).T for a in (0, 1) for b in (0, 1)
    }

    def integral(p, q, dp, dq):
        """∫ of the derivative of p along the axis dp times that of q along dq."""
        product = 1.0
        for axis in range(3):
            product *= one_d[axis == dp, axis == dq][p[1 + axis], q[1 + axis]]
        return product

    size = len(basis)
    K, M = np.zeros((size, size)), np.zeros((size, size))
    for i, p in enumerate(basis):
        for j, q in enumerate(basis):
            c, d = p[0], q[0]
            K[i, j] = 1.5 * integral(p, q, c, d) + integral(p, q, d, c)
            if c == d:
                M[i, j] = integral(p, q, None, None)
                K[i, j] += sum(integral(p, q, axis, axis) for axis in range(3))
    inverse = np.linalg.inv(np.linalg.cholesky(M))
    return 2 * math.sqrt(min(v for v in np.linalg.eigvalsh(inverse @ K @ inverse.T) if v > 1e-6))


# V-E/mode/sphere: ωR/c_s of Lamb's modes with ν = 0.3: x j₃(x) = j₂(x) of T2, tan y/y = 1/(1 − (y c_p/2c_s)²) with
# y = x c_s/c_p of S0. S2 is u = ∇φ + ∇×∇×(r ψ) with φ = j₂(yr) P₂, ψ = j₂(xr) P₂ for R = 1: no traction, along r or across, is
# two equations for the two amplitudes, whose determinant vanishes (docs/verification.md).


def spherical_bessel(order, x):
    before, now = math.sin(x) / x, math.sin(x) / x**2 - math.cos(x) / x
    for n in range(1, order):
        before, now = now, (2 * n + 1) / x * now - before
    return now


def sphere_numbers():
    torsion = halve(lambda x: x * spherical_bessel(3, x) - spherical_bessel(2, x), 2, 3)
    yield "V-E/mode/sphere/torsion", torsion
    ratio = math.sqrt(3.5)  # c_p/c_s
    breathing = halve(lambda y: math.sin(y) * (1 - (y * ratio / 2) ** 2) - y * math.cos(y), 2, 3)
    yield "V-E/mode/sphere/breathing", breathing * ratio

    def spheroidal(x, n=2):
        y = x / ratio
        p, p_next = spherical_bessel(n, y), spherical_bessel(n + 1, y)
        s, s_next = spherical_bessel(n, x), spherical_bessel(n + 1, x)
        along = (n * (n - 1) - 0.5 * x * x) * p + 2 * y * p_next, n * (n + 1) * ((n - 1) * s - x * s_next)
        across = (n - 1) * p - y * p_next, (n * n - 1 - 0.5 * x * x) * s + x * s_next
        return along[0] * across[1] - along[1] * across[0]

    yield "V-E/mode/sphere/spheroidal", halve(spheroidal, 2, 3)


# V-C3: shape functions of order 1 with the weight 1 − 6q² + 8q³ − 3q⁴ on a lattice of 21 × 21 nodes on the unit square,
# h = 3.2 spacings, with a crack along y = 0.475 from the left up to `tip`. A node whose way to x meets the crack at a
# distance d behind its tip is farther away by (d/a)² h (transparency), or not seen at all (visibility).

SPACING = 0.05
SUPPORT = 3.2 * SPACING
CRACK = 0.475
NODES = np.array([[SPACING * i, SPACING * j] for i in range(21) for j in range(21)])
WATCHED = int(np.argmin(((NODES - [0.45, 0.5]) ** 2).sum(axis=1)))


def weights_at(x, tip, criterion):
    offsets = NODES - x
    q = np.sqrt((offsets**2).sum(axis=1)) / SUPPORT
    if criterion != "whole":
        crosses = (x[1] - CRACK) * (NODES[:, 1] - CRACK) < 0
        with np.errstate(divide="ignore", invalid="ignore"):
            where = x[0] + offsets[:, 0] * (CRACK - x[1]) / offsets[:, 1]
        behind = np.where(crosses, np.maximum(tip - where, 0.0), 0.0)
        if criterion == "visibility":
            q = np.where(crosses & (where <= tip), 2.0, q)
        else:
            q = q + (behind / SPACING) ** 2
    return np.where(q < 1, 1 - 6 * q**2 + 8 * q**3 - 3 * q**4, 0.0)


def eliminate(A, b):
    """Solves A c = b as by hand, with the largest pivot."""
    A, b = A.copy(), b.copy()
    n = len(b)
    for k in range(n):
        pivot = k + int(np.argmax(abs(A[k:, k])))
        A[[k, pivot]], b[[k, pivot]] = A[[pivot, k]], b[[pivot, k]]
        for row in range(k + 1, n):
            factor = A[row, k] / A[k, k]
            A[row] -= factor * A[k]
            b[row] -= factor * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - A[k, k + 1 :] @ b[k + 1 :]) / A[k, k]
    return b


def shape_functions(x, tip, criterion):
    w = weights_at(x, tip, criterion)
    basis = np.column_stack([np.ones(len(NODES)), (NODES - x) / SUPPORT])
    moment = basis.T @ (w[:, None] * basis)
    return w * (basis @ eliminate(moment, np.array([1.0, 0.0, 0.0])))


def crack_numbers():
    for criterion in ["whole", "visibility", "transparency"]:
        before, largest = None, 0.0
        for k in range(3001):
            phi = shape_functions(np.array([0.4 + 1e-4 * k, 0.46]), 0.5, criterion)[WATCHED]
            if before is not None:
                largest = max(largest, abs(phi - before))
            before = phi
        yield f"V-C3/step/{criterion}", largest
    for name, spacings in [("translucent", 0.4), ("opaque", 1.0)]:
        x = 0.5 - spacings * SPACING
        above = shape_functions(np.array([x, CRACK + 1e-9]), 0.5, "transparency")
        below = shape_functions(np.array([x, CRACK - 1e-9]), 0.5, "transparency")
        yield f"V-C3/jump/{name}", abs(above - below).max()
    # How much is left of the neighbours of the watched node: Σ_j of the weight with the crack over that without.
    x = NODES[WATCHED]
    for tip in [0.3, 0.4, 0.45, 0.5, 0.6, 0.8]:
        whole = weights_at(x, tip, "whole")
        cracked = weights_at(x, tip, "transparency")
        others = (whole > 0) & (np.arange(len(NODES)) != WATCHED)
        yield f"V-C3/sampling at {tip:g}", (cracked[others] / whole[others]).sum()


def all_numbers():
    yield from lattice_numbers()
    yield from cube_numbers()
    yield from law_numbers()
    yield from beam_numbers()
    yield "V-E/mode/cube/twist", cube_ritz()
    yield from sphere_numbers()
    yield from crack_numbers()


def main():
    for name, value in all_numbers():
        if len(sys.argv) < 2 or any(name.startswith(beginning) for beginning in sys.argv[1:]):
            print(f"{name}  {value:.12g}")


if __name__ == "__main__":
    main()
