// SPDX-License-Identifier: MIT
#include "verify.h"

#include "console.h"
#include "shipped.h"
#include "verification_page.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/file.h>
#include <phyxel/verify/archive.h>
#include <phyxel/verify/case.h>
#include <phyxel/verify/report.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

namespace phyxel::command {
namespace {

/// With JSON nothing is printed before the end, so people get a line that says where it stands.
void show_progress(std::size_t done, std::size_t count, const std::string& last)
{
    if (can_redraw())
        std::fprintf(stderr, "\r\033[K[%zu/%zu] %s%s", done, count, last.c_str(), done < count ? "" : "\n");
}

std::vector<Outcome> run_all(const std::vector<Case>& cases, Ingredients ingredients, bool json)
{
    const bool sabotage = ingredients == Ingredients::Sabotaged;
    const ReportTable table(cases, sabotage);
    if (!json) print(table.header());
    std::size_t done = 0;
    std::vector<Outcome> outcomes =
        run_cases(cases, ingredients, thread_count(), [&](const Outcome& outcome) {
            ++done;
            if (json) {
                show_progress(done, cases.size(), outcome.info.name);
                return;
            }
            print(table.row(outcome));
            std::fflush(stdout);
        });
    print(json ? report_json(outcomes) : table.summary(outcomes));
    return outcomes;
}

std::string today()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    std::array<char, 32> text;
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

/// The page, and beside it what it was made of: cases that were not run this time keep their place in it.
void write_report(const std::filesystem::path& folder, const std::vector<Case>& all,
                  const std::vector<ReportEntry>& now)
{
    const std::filesystem::path archive = folder / "verification.json";
    std::vector<ReportEntry> kept;
    if (std::ifstream in(archive, std::ios::binary); in)
        kept = read_archive(std::string(std::istreambuf_iterator<char>(in), {}), all);
    const std::vector<ReportEntry> entries = merged(all, now, kept);
    std::filesystem::create_directories(folder);
    write_file(archive, archive_json(entries));
    write_file(folder / "verification.html", verification_page(all, entries, PHYXEL_VERSION, today()));
    say("the page is " + (folder / "verification.html").string());
}

} // namespace

bool run_verify(const VerifyCommand& command)
{
    const std::vector<Case> all = all_cases(shipped_folder() / "verification");
    const Tier tier = command.longest || command.list ? Tier::Long : command.full ? Tier::Full : Tier::Quick;
    const std::vector<Case> cases = select_cases(all, command.cases, tier);
    if (command.list) {
        print(case_list(cases));
        return true;
    }
    if (command.report.empty())
        return std::ranges::all_of(
            run_all(cases, command.sabotage ? Ingredients::Sabotaged : Ingredients::Honest, command.json),
            went_well);

    std::vector<ReportEntry> entries;
    for (Outcome& outcome : run_all(cases, Ingredients::Honest, command.json))
        entries.push_back({.outcome = std::move(outcome), .date = today()});
    if (command.sabotage) {
        std::vector<Outcome> sabotaged = run_all(cases, Ingredients::Sabotaged, command.json);
        for (std::size_t k = 0; k < entries.size(); ++k) entries[k].sabotaged = std::move(sabotaged[k]);
    }
    write_report(command.report, all, entries);
    return std::ranges::all_of(entries, [](const ReportEntry& entry) {
        return went_well(entry.outcome) && (!entry.sabotaged || went_well(*entry.sabotaged));
    });
}

} // namespace phyxel::command
