// `lacuna demo`: simulate, fit, predict, draw and report, each step as the command a user would
// type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
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

// What the stops of the tour share: a folder to write to and a terminal to talk to.
class Tour {
 public:
  Tour(const std::string& folder, std::optional<double> time_limit, bool quiet)
      : folder_(folder), time_limit_(time_limit), terminal_(quiet) {
    std::error_code trouble;
    fs::create_directories(folder_, trouble);
    if (trouble)
      throw Error(ErrorKind::cannot_create,
                  fmt::format("{}: cannot create ({})", folder, trouble.message()));
  }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  void say(const std::string& line) { terminal_.inform(line); }

  void report(const Fit& fit, const Dataset& data, const std::string& file,
              const std::string& page) {
    say(fmt::format("$ lacuna report {} --out {}", file, page));
    ReportOptions options;
    options.file = file;
    options.data = &data;
    write_report(fit, options, page);
  }

  SimulatedData simulated(const Simulation& what, const std::string& command,
                          const std::string& path) {
    say("$ " + command);
    SimulatedData data = simulate(what);
    write_simulated_csv(data, path);
    data.data.path = path;  // so that the fit can be extended
    data.data.ignored = {"f"};
    return data;
  }

  Fit fitted(const SimulatedData& data, const std::string& path) {
    Config config;
    config.time_limit = time_limit_;
    const std::string command =
        fmt::format("lacuna fit {} --target y --ignore f --out {}{}", data.data.path, path,
                    time_limit_ ? fmt::format(" --time-limit {}", *time_limit_) : "");
    say("$ " + command);
    fit(data.data, config, path, command, terminal_);
    if (interrupted())
      throw Error(ErrorKind::interrupted,
                  fmt::format("interrupted; the partial fit is in {}", path));
    return Fit::open(path);
  }

 private:
  fs::path folder_;
  std::optional<double> time_limit_;
  Terminal terminal_;
};

void print_size(const Fit& fit, const Summary& summary) {
  for (const QuantitySummary& q : summary.quantities) {
    if (q.name != "live weights") continue;
    fmt::print("network            {:.0f} live weights of {} possible\n", q.mean,
               grouped(fit.info().parameter_count));
  }
}

// One input: a curve with its bands.
void show_a_curve(Tour& tour) {
  const std::string data = tour.file("data.csv"), file = tour.file("fit.lacuna"),
                    predictions = tour.file("predictions.csv"), picture = tour.file("fit.svg"),
                    page = tour.file("fit.html");
  const SimulatedData simulated = tour.simulated(
      {.name = "authors", .rows = 400, .noise_sd = 0.05},
      fmt::format("lacuna simulate authors --n 400 --noise 0.05 --out {}", data), data);
  const Fit result = tour.fitted(simulated, file);
  tour.say(fmt::format("$ lacuna predict {} {} --out {}", file, data, predictions));
  const Prediction p = result.predict(simulated.data.x, simulated.data.rows, {});
  write_prediction_csv(p, predictions);
  write_text(picture, picture_of_fit(result, simulated.data, simulated.truth));
  tour.report(result, simulated.data, file, page);

  double squares = 0.0, f_inside = 0.0, y_inside = 0.0;
  const auto n = static_cast<double>(simulated.data.rows);
  for (std::size_t i = 0; i < simulated.data.rows; ++i) {
    const double truth = simulated.truth[i], y = simulated.data.y[i];
    squares += (p.mean[i] - truth) * (p.mean[i] - truth) / n;
    f_inside += (p.f_lower[i] <= truth && truth <= p.f_upper[i]) / n;
    y_inside += (p.y_lower[i] <= y && y <= p.y_upper[i]) / n;
  }
  const Summary summary = result.summary();
  tour.say("");
  fmt::print("verdict            {}\n", summary.verdict.sentence);
  fmt::print("error of the mean  {:.4f} root mean square, against the truth (noise sd 0.05)\n",
             std::sqrt(squares));
  fmt::print(
      "90% intervals      {:.0f}% of observations inside y_lower..y_upper, {:.0f}% of the truth "
      "inside f_lower..f_upper\n",
      100.0 * y_inside, 100.0 * f_inside);
  print_size(result, summary);
  fmt::print("files              {}  {}  {}  {}\n", data, file, predictions, picture);
  fmt::print("report             {} (open it in a browser)\n\n", page);
}

// Fifteen inputs of which five matter: the others are switched off.
void show_the_inputs(Tour& tour) {
  constexpr std::size_t inputs = 15, that_matter = 5;
  const std::string data = tour.file("inputs.csv"), file = tour.file("inputs.lacuna"),
                    picture = tour.file("inputs.svg"), page = tour.file("inputs.html");
  const SimulatedData simulated = tour.simulated(
      {.name = "friedman", .rows = 500, .inputs = inputs, .noise_sd = 0.1},
      fmt::format("lacuna simulate friedman --n 500 --p {} --noise 0.1 --out {}", inputs, data),
      data);
  const Fit result = tour.fitted(simulated, file);
  const Summary summary = result.summary();
  write_text(picture, picture_of_inclusion(summary));
  tour.report(result, simulated.data, file, page);

  double least = 1.0, most = 0.0;
  for (std::size_t j = 0; j < inputs; ++j) {
    const double share = summary.inclusion[j].probability;
    (j < that_matter ? least : most) =
        j < that_matter ? std::min(least, share) : std::max(most, share);
  }
  tour.say("");
  fmt::print("inputs that matter {} to {}: used in at least {:.0f}% of the draws\n",
             summary.inclusion.front().name, summary.inclusion[that_matter - 1].name,
             100.0 * least);
  fmt::print("noise inputs       {} to {}: used in at most {:.0f}%\n",
             summary.inclusion[that_matter].name, summary.inclusion.back().name, 100.0 * most);
  print_size(result, summary);
  fmt::print("files              {}  {}  {}\n", data, file, picture);
  fmt::print("report             {} (open it in a browser)\n", page);
}

struct DemoArguments {
  std::string out = "demo", time_limit;
  bool quiet = false;
};

int demo(const DemoArguments& a) {
  Tour tour(a.out, time_limit_from(a.time_limit), a.quiet);
  show_a_curve(tour);
  show_the_inputs(tour);
  return 0;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("demo", "The whole tour: simulate, fit, predict, draw, report");
  auto a = std::make_shared<DemoArguments>();
  command
      ->add_option("--out", a->out,
                   "folder for data, fits, predictions, pictures and reports [demo]")
      ->type_name("DIR");
  command->add_option("--time-limit", a->time_limit, "for each of its two fits [none]")
      ->type_name("SECONDS");
  command->add_flag("--quiet", a->quiet, "no progress");
  command->callback([a, &action] { action = [a] { return demo(*a); }; });
}

}  // namespace lacuna::cli
