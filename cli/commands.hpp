// The subcommands of `lacuna`: each adds itself to the parser and leaves what is to be run.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace lacuna::cli {

// What main runs after parsing; returns the exit code.
using Action = std::function<int()>;

void add_fit(CLI::App& app, Action& action, const std::string& command_line);
void add_extend(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_draws(CLI::App& app, Action& action);
void add_summary(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_certify(CLI::App& app, Action& action);
void add_theory(CLI::App& app, Action& action);
void add_study(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);

}  // namespace lacuna::cli
