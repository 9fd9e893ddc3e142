// SPDX-License-Identifier: MIT
#include "program.h"
#include "verify.h"

namespace phyxel::command {

bool run_verify(const VerifyCommand&) { become_program("phyxel-verify"); }

} // namespace phyxel::command
