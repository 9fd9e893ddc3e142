// SPDX-License-Identifier: MIT
// What can be done with a body in the studio and what it shows. Pages are told this instead of the kind of
// the body, and no other file of the studio asks for a kind.
#pragma once

#include <phyxel/scene/node.h>

#include <string>
#include <string_view>
#include <vector>

namespace phyxel::studio {

struct Capabilities {
    std::vector<std::string> can;    ///< of grab, fix, push, warm, drop and pour
    std::string surface = "none";    ///< "skin": it carries one; "made": one is made for those who wish it
    std::vector<std::string> fields; ///< beside id and velocity
};

/// Of bodies of a type of the scene. One that is not known consists of particles to look at and nothing else.
Capabilities capabilities_of(std::string_view type, int dimension);

/// All fields that the bodies of a resolved scene can be coloured by.
std::vector<std::string> fields_of(const Node& resolved);

} // namespace phyxel::studio
