// `lacuna summary`: what the draws say, as text for people or as JSON for programs.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/summary_views.hpp"
#include "lacuna/report.hpp"

namespace lacuna::cli {

void add_summary(CLI::App& app, Action& action) {
  struct Arguments {
    std::string fit;
    bool json = false;
  };
  CLI::App* command =
      app.add_subcommand("summary", "Say what a fit found and whether its draws can be trusted");
  auto a = std::make_shared<Arguments>();
  command->add_option("FILE", a->fit, "the fit, FILE.lacuna")->required();
  command->add_flag("--json", a->json, "everything as one JSON object on standard output");
  command->callback([a, &action] {
    action = [a] {
      const Fit fit = Fit::open(a->fit);
      const Summary summary = fit.summary();
      fmt::print("{}",
                 a->json ? summary_as_json(fit, summary) + "\n" : summary_as_text(fit, summary));
      return 0;
    };
  });
}

}  // namespace lacuna::cli
