// `lacuna simulate`: data whose regression function is known.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "lacuna/dataset.hpp"
#include "lacuna/options.hpp"

namespace lacuna::cli {

void add_simulate(CLI::App& app, Action& action) {
  struct Arguments {
    std::string name, rows = "500", inputs = "0", noise = "0.1", smoothness = "1", seed = "1", out;
  };
  CLI::App* command = app.add_subcommand("simulate", "Make data with a known truth");
  command->footer(
      "Simulations:\n"
      "  friedman      Friedman's function of x1..x5 scaled to unit order; further inputs are "
      "noise\n"
      "  hierarchical  a composition of functions of few variables with chosen smoothness\n"
      "  rough         waves in one input at all scales, of chosen smoothness below 1\n"
      "  authors       the one-dimensional example of the method's authors, on [-0.8,-0.2] u "
      "[0.2,0.8]\n"
      "The last column f is the truth; fit leaves it out with --ignore f.");
  auto a = std::make_shared<Arguments>();
  command->add_option("NAME", a->name, "friedman, hierarchical, rough or authors")->required();
  command->add_option("--n", a->rows, "rows [500]")->type_name("N");
  command->add_option("--p", a->inputs, "inputs [10; authors: 1]")->type_name("P");
  command->add_option("--noise", a->noise, "standard deviation of the noise [0.1]")->type_name("S");
  command->add_option("--smoothness", a->smoothness, "of hierarchical and rough functions [1]")
      ->type_name("BETA");
  command->add_option("--seed", a->seed, "the same seed gives the same data [1]")->type_name("S");
  command->add_option("--out", a->out, "where the data go")->required()->type_name("DATA.csv");
  command->callback([a, &action] {
    action = [a] {
      Simulation what;
      what.name = a->name;
      what.rows = count_from("n", a->rows);
      what.inputs = count_from("p", a->inputs);
      what.noise_sd = number_from("noise", a->noise);
      what.smoothness = number_from("smoothness", a->smoothness);
      what.seed = count_from("seed", a->seed);
      write_simulated_csv(simulate(what), a->out);
      return 0;
    };
  });
}

}  // namespace lacuna::cli
