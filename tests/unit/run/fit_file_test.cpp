// The fit file as it is meant to be: what goes in comes out.
#include "run/fit_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "run/info_json.hpp"
#include "unit/data/files.hpp"
#include "unit/run/small_fit.hpp"

namespace lacuna::testing {
namespace {

class FitFile : public InFolder {};

FitInfo unusual_info() {
  FitInfo info;
  info.version = "9.8.7";
  info.command = "lacuna fit \"a b\".csv \xe9";  // the last byte is not UTF-8
  Config& c = info.config;
  c.standardise = false;
  c.prior = PriorKind::dense;
  c.base = 2.5;
  c.widths = {3, 2};
  c.bound = 1.0 / 3.0;
  c.bound += 1.0;
  c.clip = 1e17;
  c.lambda_rule = LambdaRule::number;
  c.lambda = 0.1;
  c.noise_sd = 5e-324;
  c.noise_tail = 1e300;
  c.sampler = SamplerKind::paper;
  c.learning_rate = 0.0;
  c.proposal_sd = 0.7;
  c.start = StartKind::file;
  c.start_file = "früher.lacuna";
  c.chains = 3;
  c.walkers = 2;
  c.burn_in = 0;
  c.gap = std::uint64_t{1} << 40;
  c.draws = 5;
  c.time_limit = 2.5;
  c.checkpoint_every = 1e-3;
  c.seed = std::numeric_limits<std::uint64_t>::max();
  info.rows = 12;
  c.inputs = InputRule::automatic;
  info.input_names = {"größe", "say \"hi\"\n"};
  info.target_name = "y";
  info.data_hash = std::numeric_limits<std::uint64_t>::max() - 1;
  info.scaling = {{0.1, -1e-300}, {1e300, 3.0}, 0.2, 1.0 / 7.0};
  info.parameter_count = 3 * 3 + 4 * 2 + 3;
  info.lambda = 1.0 / 3.0;
  info.lambda_origin = "given";
  info.noise = {0.3, 0.4, 5u, {2}, {0, 3}, {0.5, -1.0}};
  info.noise_origin = "given";
  info.clipped_share = 0.25;
  info.probes = {{0, 11, 5}, {0.1, -1e300, 5e-324, 1.0 / 3.0, 2.0, -0.0}};
  return info;
}

TEST(InfoJson, KeepsEveryField) {
  const FitInfo in = unusual_info(), out = info_from_json(info_to_json(in));
  EXPECT_EQ(out.version, in.version);
  EXPECT_EQ(out.command, "lacuna fit \"a b\".csv \xef\xbf\xbd");
  EXPECT_EQ(out.rows, in.rows);
  EXPECT_EQ(out.input_names, in.input_names);
  EXPECT_EQ(out.target_name, in.target_name);
  EXPECT_EQ(out.data_hash, in.data_hash);
  EXPECT_EQ(out.scaling.input_shift, in.scaling.input_shift);
  EXPECT_EQ(out.scaling.input_scale, in.scaling.input_scale);
  EXPECT_EQ(out.scaling.target_shift, in.scaling.target_shift);
  EXPECT_EQ(out.scaling.target_scale, in.scaling.target_scale);
  EXPECT_EQ(out.network_inputs, in.network_inputs);
  EXPECT_EQ(out.parameter_count, in.parameter_count);
  EXPECT_EQ(out.lambda, in.lambda);
  EXPECT_EQ(out.lambda_origin, in.lambda_origin);
  EXPECT_EQ(out.noise, in.noise);
  EXPECT_EQ(out.noise_origin, in.noise_origin);
  EXPECT_EQ(out.clipped_share, in.clipped_share);
  EXPECT_EQ(out.probes.rows, in.probes.rows);
  EXPECT_EQ(out.probes.x, in.probes.x);
  const Config &a = in.config, &b = out.config;
  EXPECT_EQ(b.standardise, a.standardise);
  EXPECT_EQ(b.prior, a.prior);
  EXPECT_EQ(b.base, a.base);
  EXPECT_EQ(b.widths, a.widths);
  EXPECT_EQ(b.inputs, a.inputs);
  EXPECT_EQ(b.bound, a.bound);
  EXPECT_EQ(b.clip, a.clip);
  EXPECT_EQ(b.lambda_rule, a.lambda_rule);
  EXPECT_EQ(b.lambda, a.lambda);
  EXPECT_EQ(b.noise_sd, a.noise_sd);
  EXPECT_EQ(b.noise_tail, a.noise_tail);
  EXPECT_EQ(b.sampler, a.sampler);
  EXPECT_EQ(b.learning_rate, a.learning_rate);
  EXPECT_EQ(b.proposal_sd, a.proposal_sd);
  EXPECT_EQ(b.start, a.start);
  EXPECT_EQ(b.start_file, a.start_file);
  EXPECT_EQ(b.chains, a.chains);
  EXPECT_EQ(b.walkers, a.walkers);
  EXPECT_EQ(b.burn_in, a.burn_in);
  EXPECT_EQ(b.gap, a.gap);
  EXPECT_EQ(b.draws, a.draws);
  EXPECT_EQ(b.time_limit, a.time_limit);
  EXPECT_EQ(b.checkpoint_every, a.checkpoint_every);
  EXPECT_EQ(b.seed, a.seed);
}

TEST(InfoJson, TakesFilesWithoutProbesAndRefusesProbesThatDoNotFit) {
  auto j = nlohmann::json::parse(info_to_json(unusual_info()));
  j.erase("probes");
  EXPECT_TRUE(info_from_json(j.dump()).probes.rows.empty());
  using Rows = std::vector<std::size_t>;
  using Values = std::vector<double>;
  for (const auto& [rows, x] :
       std::initializer_list<std::pair<Rows, Values>>{{{0, 1}, {1.0, 2.0, 3.0}},
                                                      {{0}, {}},
                                                      {{}, {1.0, 2.0}},
                                                      {{0, 1}, {1.0}},
                                                      {Rows(13), Values(26)}}) {
    j["probes"] = {{"rows", rows}, {"x", x}};
    EXPECT_THROW(info_from_json(j.dump()), std::runtime_error);
  }
}

TEST(InfoJson, KnowsTheInputsOfTheNetworkAndRefusesThoseThatAreNone) {
  FitInfo info = unusual_info();
  info.network_inputs = {1};
  info.parameter_count -= 3;
  const FitInfo out = info_from_json(info_to_json(info));
  EXPECT_EQ(out.network_inputs, info.network_inputs);
  EXPECT_EQ(out.network_input_names(), std::vector<std::string>{info.input_names[1]});
  auto j = nlohmann::json::parse(info_to_json(info));
  for (const std::vector<std::int64_t>& none :
       std::initializer_list<std::vector<std::int64_t>>{{2}, {-1}, {}, {0, 1}, {1, 0}, {1, 1}}) {
    j["network-inputs"] = none;
    EXPECT_THROW(info_from_json(j.dump()), std::runtime_error);
  }
  // Files of the first versions say nothing: all inputs.
  j = nlohmann::json::parse(info_to_json(unusual_info()));
  j.erase("network-inputs");
  j["config"].erase("inputs");
  const FitInfo old = info_from_json(j.dump());
  EXPECT_EQ(old.network_input_names(), old.input_names);
  EXPECT_EQ(old.config.inputs, InputRule::all);
}

TEST(InfoJson, KeepsWhatIsNotGivenAndInfiniteNoise) {
  FitInfo info = unusual_info();
  info.noise = {};
  info.noise.scale = info.noise.mean_level = std::numeric_limits<double>::infinity();
  info.config.noise_sd = info.config.noise_tail = std::nullopt;
  info.config.burn_in = info.config.gap = info.config.draws = std::nullopt;
  info.config.time_limit = info.config.learning_rate = info.config.proposal_sd = std::nullopt;
  const FitInfo out = info_from_json(info_to_json(info));
  EXPECT_EQ(out.noise, info.noise);
  EXPECT_FALSE(out.config.noise_sd || out.config.noise_tail || out.config.burn_in ||
               out.config.gap || out.config.draws || out.config.time_limit ||
               out.config.learning_rate || out.config.proposal_sd);
}

TEST_F(FitFile, GivesBackDrawsBitByBit) {
  const double tiny = 5e-324, large = 1.7976931348623157e308;
  const SparseTheta one{{4}, {-0.0}}, two{{0, 19}, {tiny, large}}, three{{7}, {2.5}};
  {
    FitWriter writer("d.lacuna", unusual_info());
    DrawBlock block;
    block.add(one, -3.5, 1e-300);
    block.add(two, -7.25, large);
    writer.write_draws(2, block);
    block.clear(block.first + block.count);
    EXPECT_EQ(block.first, 2u);
    EXPECT_EQ(block.count, 0u);
    block.add(three, 0.0, 0.0);
    writer.write_json(RecordType::note, 0, "{\"k\": 1}");
    writer.write_draws(2, block);
    writer.close();
  }
  const FitReader reader("d.lacuna");
  EXPECT_EQ(reader.damage(), "");
  ASSERT_EQ(reader.records().size(), 3u);
  EXPECT_EQ(reader.records()[1].type, RecordType::note);
  EXPECT_EQ(reader.payload(reader.records()[1]), "{\"k\": 1}");
  const std::vector<OwnedDraw> draws = draws_of(reader);
  ASSERT_EQ(draws.size(), 3u);
  EXPECT_EQ(draws[0], (OwnedDraw{2, 0, -3.5, 1e-300, one}));
  EXPECT_TRUE(std::signbit(draws[0].theta.value[0]));
  EXPECT_EQ(draws[1], (OwnedDraw{2, 1, -7.25, large, two}));
  EXPECT_EQ(draws[2], (OwnedDraw{2, 2, 0.0, 0.0, three}));
}

TEST_F(FitFile, IsTheFormatOfItsDescription) {
  const FitInfo info = unusual_info();
  {
    FitWriter writer("d.lacuna", info);
    DrawBlock block;
    block.add({{5}, {0.5}}, -1.0, 2.0);
    writer.write_draws(1, block);
    writer.write_json(RecordType::checkpoint, 2, "{}");
    writer.close();
  }
  std::string draws;
  for (const std::uint64_t n : {0, 1}) append_number(draws, n);
  for (const double x : {-1.0, 2.0}) append_number(draws, x);
  for (const std::uint64_t n : {1, 5}) append_number(draws, n);
  append_number(draws, 0.5);
  EXPECT_EQ(bytes_of("d.lacuna"), header_bytes(info_to_json(info)) + record_bytes(1, 1, draws) +
                                      record_bytes(2, 2, "{}"));
}

TEST_F(FitFile, OfARunGivesItsDrawsByChain) {
  ASSERT_TRUE(quick_fit("d.lacuna"));
  const Fit fit = Fit::open("d.lacuna");
  EXPECT_EQ(fit.info().command, "a test");
  EXPECT_EQ(fit.info().data_hash, hash_dataset(small_data()));
  const std::vector<OwnedDraw> draws = draws_of(fit);
  ASSERT_EQ(draws.size(), 8u);
  for (std::size_t k = 0; k < draws.size(); ++k) {
    EXPECT_EQ(draws[k].chain, k / 4);
    EXPECT_EQ(draws[k].draw, k % 4);
  }
}

}  // namespace
}  // namespace lacuna::testing
