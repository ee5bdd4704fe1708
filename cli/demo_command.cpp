// `lacuna demo`: simulate, fit, predict and draw, each step as the command a user would type.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "lacuna/report.hpp"

namespace lacuna::cli {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::cannot_create, fmt::format("{}: cannot create", path.string()));
}

int demo(const std::string& folder, bool quiet) {
  std::error_code trouble;
  fs::create_directories(folder, trouble);
  if (trouble)
    throw Error(ErrorKind::cannot_create,
                fmt::format("{}: cannot create ({})", folder, trouble.message()));
  const fs::path data_path = fs::path(folder) / "data.csv",
                 fit_path = fs::path(folder) / "fit.lacuna",
                 prediction_path = fs::path(folder) / "predictions.csv",
                 picture_path = fs::path(folder) / "fit.svg";
  Terminal terminal(quiet);
  const auto say = [&](const std::string& line) { terminal.inform(line); };

  say(fmt::format("$ lacuna simulate authors --n 400 --noise 0.05 --out {}", data_path.string()));
  const SimulatedData simulated = simulate({.name = "authors", .rows = 400, .noise_sd = 0.05});
  write_simulated_csv(simulated, data_path);

  const std::string command = fmt::format("lacuna fit {} --target y --ignore f --out {} --chains 8",
                                          data_path.string(), fit_path.string());
  say("$ " + command);
  Config config;
  config.chains = 8;
  fit(simulated.data, config, fit_path, command, terminal);
  if (interrupted())
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted; the partial fit is in {}", fit_path.string()));

  say(fmt::format("$ lacuna predict {} {} --out {}", fit_path.string(), data_path.string(),
                  prediction_path.string()));
  const Fit result = Fit::open(fit_path);
  const Prediction p = result.predict(simulated.data.x, simulated.data.rows, {});
  write_prediction_csv(p, prediction_path);
  write_text(picture_path, picture_of_fit(result, simulated.data, simulated.truth));

  double squares = 0.0, f_inside = 0.0, y_inside = 0.0;
  const auto n = static_cast<double>(simulated.data.rows);
  for (std::size_t i = 0; i < simulated.data.rows; ++i) {
    const double truth = simulated.truth[i], y = simulated.data.y[i];
    squares += (p.mean[i] - truth) * (p.mean[i] - truth) / n;
    f_inside += (p.f_lower[i] <= truth && truth <= p.f_upper[i]) / n;
    y_inside += (p.y_lower[i] <= y && y <= p.y_upper[i]) / n;
  }
  const Summary summary = result.summary();
  terminal.inform("");
  fmt::print("verdict            {}\n", summary.verdict.sentence);
  fmt::print("error of the mean  {:.4f} root mean square, against the truth (noise sd 0.05)\n",
             std::sqrt(squares));
  fmt::print(
      "90% intervals      {:.0f}% of observations inside y_lower..y_upper, {:.0f}% of the truth "
      "inside f_lower..f_upper\n",
      100.0 * y_inside, 100.0 * f_inside);
  for (const QuantitySummary& q : summary.quantities) {
    if (q.name == "live weights") {
      fmt::print("network            {:.0f} live weights of {} possible\n", q.mean,
                 grouped(result.info().parameter_count));
    }
  }
  fmt::print("files              {}  {}  {}  {}\n", data_path.string(), fit_path.string(),
             prediction_path.string(), picture_path.string());
  return 0;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  struct Arguments {
    std::string out = "demo";
    bool quiet = false;
  };
  CLI::App* command = app.add_subcommand("demo", "The whole tour: simulate, fit, predict, draw");
  auto a = std::make_shared<Arguments>();
  command->add_option("--out", a->out, "folder for data, fit, predictions and picture [demo]")
      ->type_name("DIR");
  command->add_flag("--quiet", a->quiet, "no progress");
  command->callback([a, &action] { action = [a] { return demo(a->out, a->quiet); }; });
}

}  // namespace lacuna::cli
