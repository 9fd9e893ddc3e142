// SPDX-License-Identifier: MIT
// The phyxel command: reads the command line into the plain structs of the subcommands and runs one of them.
// The only file that sees CLI11, whose header is the slowest to compile.
//
// Exit codes: 0 done, 1 failed, 2 bad usage or input.
#include "verify.h"

#include <phyxel/core/cpu.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>

namespace {

enum ExitCode { Done = 0, Failed = 1, BadUsage = 2 };

void say(const std::string& line) { std::fprintf(stderr, "phyxel: %s\n", line.c_str()); }

int run(int argc, char** argv)
{
    CLI::App app("Meshless physics for animation and modelling.", "phyxel");
    app.set_version_flag("--version", "phyxel " PHYXEL_VERSION, "Print the version and exit");

    phyxel::VerifyCommand verify;
    std::optional<int> threads;
    CLI::App* verify_app =
        app.add_subcommand("verify", "Compare the library with formulas and cited numbers");
    verify_app->add_option("CASE", verify.cases,
                           "Cases or groups of cases, such as V-K or V-K1; all if none");
    CLI::Option* list = verify_app->add_flag("--list", verify.list, "Say which cases there are");
    verify_app->add_flag("--full", verify.full, "Run the cases that take long, too");
    verify_app->add_flag("--json", verify.json, "Print JSON")->excludes(list);
    verify_app->add_flag("--sabotage", verify.sabotage, "Check that each case notices a deliberate mistake")
        ->excludes(list);
    verify_app->add_option("--threads", threads,
                           "Number of threads; as many as the machine has if not given");

    try {
        app.parse(argc, argv);
        // Not left to CLI11, which would complain of a missing subcommand before an unknown word.
        if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
    } catch (const CLI::Success& asked_for_text) {
        return app.exit(asked_for_text);
    } catch (const CLI::ParseError& error) {
        say(error.what());
        say(app.got_subcommand(verify_app) ? "try \"phyxel verify --help\"" : "try \"phyxel --help\"");
        return BadUsage;
    }

    std::optional<phyxel::ThreadLimit> limit;
    if (threads) limit.emplace(*threads);
    return phyxel::run_verify(verify) ? Done : Failed;
}

} // namespace

int main(int argc, char** argv)
{
    if (!phyxel::cpu_supports_baseline()) {
        say("this processor cannot run Phyxel, which needs AVX2, FMA and BMI2");
        return Failed;
    }
    try {
        const int code = run(argc, argv);
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
        say("cannot write to standard output");
    } catch (const phyxel::InputError& error) {
        say(error.what());
        return BadUsage;
    } catch (const std::bad_alloc&) {
        say("out of memory");
    } catch (const std::exception& error) {
        say(std::string("unexpected error: ") + error.what());
    }
    return Failed;
}
