// SPDX-License-Identifier: MIT
// What tests of approximations share: point clouds, neighbours by brute force, quadrature, observed order.
// The verification cases use them too, so they live there.
#pragma once

#include <phyxel/verify/clouds.h>
#include <phyxel/verify/observed_order.h>
#include <phyxel/verify/quadrature.h>
