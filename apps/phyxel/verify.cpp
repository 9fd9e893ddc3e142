// SPDX-License-Identifier: MIT
#include "verify.h"

#include "console.h"
#include "shipped.h"

#include <phyxel/verify/case.h>
#include <phyxel/verify/report.h>

#include <algorithm>
#include <cstdio>

namespace phyxel::command {
namespace {

/// With JSON nothing is printed before the end, so people get a line that says where it stands.
void show_progress(std::size_t done, const std::vector<Case>& cases)
{
    if (!can_redraw()) return;
    const char* name = done < cases.size() ? cases[done].name.c_str() : "done";
    std::fprintf(stderr, "\r\033[K[%zu/%zu] %s%s", done, cases.size(), name, done < cases.size() ? "" : "\n");
}

} // namespace

bool run_verify(const VerifyCommand& command)
{
    const std::vector<Case> cases = select_cases(all_cases(shipped_folder() / "verification"), command.cases,
                                                 command.full || command.list);
    if (command.list) {
        print(case_list(cases));
        return true;
    }

    const ReportTable table(cases, command.sabotage);
    if (!command.json) print(table.header());
    std::vector<Outcome> outcomes;
    for (const Case& c : cases) {
        if (command.json) show_progress(outcomes.size(), cases);
        outcomes.push_back(command.sabotage ? run_sabotage(c) : run_case(c));
        if (!command.json) {
            print(table.row(outcomes.back()));
            std::fflush(stdout);
        }
    }
    if (command.json) show_progress(outcomes.size(), cases);
    print(command.json ? report_json(outcomes) : table.summary(outcomes));
    return std::ranges::all_of(outcomes, went_well);
}

} // namespace phyxel::command
