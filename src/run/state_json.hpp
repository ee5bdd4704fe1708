// Between the state of a chain and JSON. Numbers are written so that what is read back is what was
// written, to the last bit; what is read is checked, because files come from anywhere.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>

#include "mcmc/curvature.hpp"
#include "mcmc/outcome.hpp"
#include "network/architecture.hpp"
#include "network/sparse_theta.hpp"
#include "run/batch_means.hpp"
#include "run/round_trips.hpp"
#include "warmup/curvature_learner.hpp"
#include "warmup/step_size.hpp"

namespace lacuna {

nlohmann::json json_of(const SparseTheta& theta);
nlohmann::json json_of(const MoveCounts& counts);  // of the moves that were tried
nlohmann::json json_of(const BatchMeans& means);
nlohmann::json json_of(const RoundTrips& trips);
nlohmann::json json_of(const CurvatureTable& table);
nlohmann::json json_of(const CurvatureLearner& learner);
nlohmann::json json_of(const StepSizeTuner& tuner);

// JSON has no NaN; what is not a number, or could not be measured yet, is written as null.
double number_or_nan(const nlohmann::json& value);

// A number of this range; throws std::exception otherwise.
double number_between(double least, double most, const nlohmann::json& value);

// All of these throw std::exception where the text cannot be the state of such a network.
SparseTheta theta_from(const nlohmann::json& j, std::uint64_t parameters);
MoveCounts counts_from(const nlohmann::json& j);
BatchMeans batch_means_from(const nlohmann::json& j);
RoundTrips round_trips_from(const nlohmann::json& j, std::size_t rungs);
std::shared_ptr<const CurvatureTable> table_from(const nlohmann::json& j,
                                                 const Architecture& architecture);
void restore(CurvatureLearner& learner, const nlohmann::json& j, const Architecture& architecture);
void restore(StepSizeTuner& tuner, const nlohmann::json& j);

}  // namespace lacuna
