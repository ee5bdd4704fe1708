// `lacuna report`: a fit as one HTML page.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/fit_options.hpp"
#include "cli/terminal.hpp"
#include "cli/training_data.hpp"
#include "lacuna/certificate.hpp"
#include "lacuna/errors.hpp"
#include "lacuna/options.hpp"
#include "lacuna/report.hpp"

namespace lacuna::cli {
namespace {

struct ReportArguments {
  std::string fit, out, data, threads = "0";
  bool no_data = false, certify = false, quiet = false;
};

// Why a page has no rows, and what to do; empty if they are to be read.
std::string reason_without_data(const ReportArguments& a, const FitInfo& info) {
  constexpr const char* left_out =
      "What shows single rows (fit, residuals, partial dependence, calibration) is left out: ";
  if (a.no_data) return fmt::format("{}the report was written with --no-data.", left_out);
  if (!a.data.empty()) return "";
  const std::filesystem::path path = training_path(a.fit, info, "");
  if (path.empty()) {
    return fmt::format("{}the fit does not say where its data are. Give them with --data DATA.csv.",
                       left_out);
  }
  if (!std::filesystem::exists(path)) {
    return fmt::format("{}{} is not there. If the data lie elsewhere now, give --data DATA.csv.",
                       left_out, path.string());
  }
  return "";
}

int report(const ReportArguments& a) {
  if (a.no_data && !a.data.empty())
    throw Error(ErrorKind::usage, "report: --data and --no-data exclude each other");
  if (a.certify && a.no_data)
    throw Error(ErrorKind::usage, "report: --certify needs the data; leave --no-data out");
  check_not_input(a.out, a.fit);
  const Fit fit = Fit::open(a.fit);
  ReportOptions options;
  options.file = a.fit;
  options.threads = count_from("threads", a.threads);
  options.without_data = reason_without_data(a, fit.info());
  Dataset data;
  if (options.without_data.empty()) {
    check_not_input(a.out, training_path(a.fit, fit.info(), a.data).string());
    data = read_training_data(a.fit, fit.info(), a.data);
    options.data = &data;
  } else if (a.certify) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: --certify needs its data; give --data DATA.csv", a.fit));
  }
  CertificateReport certificates;
  if (a.certify) {
    CertifyOptions how;
    how.threads = options.threads;
    Terminal terminal(a.quiet);
    certificates = certify(fit, data, how, nullptr, &terminal);
    options.certificates = &certificates;
  }
  write_report(fit, options, a.out);
  return 0;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "report", "Write a fit as one HTML page: does it fit, and can it be trusted?");
  command->footer(
      "Examples:\n"
      "  lacuna report houses.lacuna --out houses.html\n"
      "  lacuna report houses.lacuna --out houses.html --data moved/houses.csv\n"
      "The page loads nothing and needs no scripts. The training rows are read again from where "
      "they\n"
      "were and must be the same; without them the page leaves out what shows rows, and says so.");
  auto a = std::make_shared<ReportArguments>();
  command->add_option("FILE", a->fit, "the fit, FILE.lacuna")->required();
  command->add_option("--out", a->out, "where the page goes")->required()->type_name("REPORT.html");
  command->add_option("--data", a->data, "the data, if they lie elsewhere now")
      ->type_name("DATA.csv");
  command->add_flag("--no-data", a->no_data, "leave out what shows rows");
  command->add_flag("--certify", a->certify,
                    "add the bounds of lacuna certify, which takes some seconds to minutes");
  command->add_flag("--quiet", a->quiet, "no progress");
  command->add_option("--threads", a->threads, "threads to use [one per core]")->type_name("T");
  command->callback([a, &action] { action = [a] { return report(*a); }; });
}

}  // namespace lacuna::cli
