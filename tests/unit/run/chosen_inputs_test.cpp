// A fit whose network has not all inputs: what is read from it speaks of all of them.
#include <gtest/gtest.h>

#include "lacuna/certificate.hpp"
#include "lacuna/errors.hpp"
#include "network/evaluator.hpp"
#include "posterior/prior.hpp"
#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

class ChosenInputs : public InFolder {};

constexpr std::size_t rows = 200, inputs = 12;

// Of all inputs the first matters.
Dataset data_here() {
  Dataset data = small_data(rows);
  RandomStream stream({2, 0, 0, 0, Purpose::test});
  while (data.inputs < inputs) {
    data.input_names.push_back("x" + std::to_string(++data.inputs));
    for (std::size_t i = 0; i < rows; ++i) data.x.push_back(stream.normal());
  }
  return data;
}

Config choosing() {
  Config config = quick_config();
  config.start = StartKind::automatic;
  config.lambda_rule = LambdaRule::automatic;
  config.widths = {6};
  config.burn_in = 3000;
  config.gap = 20;
  config.draws = 300;
  return config;
}

void fit_to(const std::string& path, const Config& config = choosing()) {
  Observer nobody;
  ASSERT_TRUE(fit(data_here(), config, path, "a test", nobody));
}

TEST_F(ChosenInputs, DrawsArePointsOfTheNetworkOverAll) {
  fit_to("d.lacuna");
  const Fit fit = Fit::open("d.lacuna");
  const FitInfo& info = fit.info();
  ASSERT_EQ(info.network_inputs, std::vector<std::size_t>{0});
  const Architecture all(inputs, {6}), left(1, {6});
  EXPECT_EQ(info.parameter_count, left.parameter_count());
  const Dataset data = data_here();
  std::vector<double> scaled = data.x, f(rows), mean(rows);
  for (std::size_t k = 0; k < scaled.size(); ++k) {
    const std::size_t j = k / rows;
    scaled[k] = (scaled[k] - info.scaling.input_shift[j]) / info.scaling.input_scale[j];
  }
  const Samples samples(rows, inputs, scaled, {});
  const Prior prior(PriorKind::sparse, left.parameter_count(), info.config.base, info.config.bound);
  Evaluator evaluator(all, info.config.clip);
  fit.for_each_draw([&](const DrawView& draw) {
    SparseTheta theta{{draw.index.begin(), draw.index.end()},
                      {draw.value.begin(), draw.value.end()}};
    for (const std::uint64_t index : theta.index) {
      const Place place = all.place(index);
      EXPECT_FALSE(place.layer == 1 && !place.shift && place.source != 0);
    }
    // The prior depends on the number of weights only, of the network that was sampled.
    EXPECT_DOUBLE_EQ(draw.log_prior, prior.log_density_of_size(theta.size()));
    evaluator.predict(theta, samples, f);
    for (std::size_t i = 0; i < rows; ++i) {
      mean[i] += (info.scaling.target_shift + info.scaling.target_scale * f[i]) /
                 static_cast<double>(fit.draws());
    }
  });
  const Prediction prediction = fit.predict(data.x, rows, {});
  for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(prediction.mean[i], mean[i], 1e-9);
  PredictOptions one_draw;
  one_draw.estimator = PointEstimator::draw;
  EXPECT_EQ(fit.predict(data.x, rows, one_draw).mean.size(), rows);

  const Summary summary = fit.summary();
  ASSERT_EQ(summary.inclusion.size(), inputs);
  for (std::size_t j = 0; j < inputs; ++j)
    EXPECT_EQ(summary.inclusion[j].probability, j == 0 ? 1.0 : 0.0);
  EXPECT_EQ(fit.best_network().inputs, inputs);
}

TEST_F(ChosenInputs, ARunGoesOnWithThem) {
  fit_to("whole.lacuna");
  const std::string whole = bytes_of("whole.lacuna");
  const FitReader reader("whole.lacuna");
  for (const std::size_t record : {std::size_t{4}, reader.records().size() / 2}) {
    write_file("d.lacuna", whole.substr(0, reader.records()[record].begin() + 5));
    Observer nobody;
    ASSERT_TRUE(go_on(data_here(), "d.lacuna", {{}, {}, 2}, nobody));
    EXPECT_TRUE(bytes_of("d.lacuna") == whole) << record;
  }
  EXPECT_NO_THROW(check_same_run(choosing(), "whole.lacuna"));
  Config other = choosing();
  other.inputs = InputRule::all;
  EXPECT_THROW(check_same_run(other, "whole.lacuna"), Error);
}

TEST_F(ChosenInputs, AnEarlierFitIsAStartForANetworkOfAll) {
  fit_to("earlier.lacuna");
  Config config = choosing();
  config.start = StartKind::file;
  config.start_file = "earlier.lacuna";
  config.lambda_rule = LambdaRule::bayes;
  config.burn_in = 50;
  config.draws = 4;
  fit_to("later.lacuna", config);
  const Fit later = Fit::open("later.lacuna");
  EXPECT_TRUE(later.info().network_inputs.empty());
  EXPECT_EQ(later.info().parameter_count, Architecture(inputs, {6}).parameter_count());
}

// The bound pays for having chosen among all sets of inputs.
TEST_F(ChosenInputs, ACertificateCountsTheChoice) {
  fit_to("chosen.lacuna");
  Config config = choosing();
  config.inputs = InputRule::all;
  fit_to("all.lacuna", config);
  CertifyOptions options;
  options.runs = 2;
  options.rungs = 4;
  options.steps_per_rung = 2;
  const auto share = [&](const std::string& path) {
    const Fit fit = Fit::open(path);
    EXPECT_EQ(fit.info().network_inputs.size(), path == "chosen.lacuna" ? 1u : 0u);
    const CertificateReport report = certify(fit, data_here(), options);
    for (const Certificate& certificate : report.certificates) {
      for (const BoundTerm& term : certificate.terms)
        if (term.key == "pac_bayes_delta") return term.value;
    }
    return 0.0;
  };
  // Half of it is for all inputs, half for the twelve numbers of inputs, a twelfth of that for each
  // single one.
  EXPECT_NEAR(share("all.lacuna") / share("chosen.lacuna"), 2.0 * 12.0 * 12.0, 1e-9);
}

}  // namespace
}  // namespace lacuna::testing
