// What a fit file holds, read into memory: information, draws, and the notes of its chains.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "estimation/draw_store.hpp"
#include "lacuna/fit.hpp"
#include "network/architecture.hpp"
#include "network/sparse_theta.hpp"

namespace lacuna {

struct ChainNotes {
  std::uint64_t steps = 0;
  std::map<std::string, double> kernel;
  bool tuned = false;
  std::vector<MoveSummary> moves;
  TemperingSummary tempering;
};

// Throws Error(bad_data) unless there is one value for each row and input.
void check_inputs(const std::vector<double>& x, std::size_t rows, const FitInfo& info);

struct Fit::Content {
  FitInfo info;
  DrawStore draws;
  std::vector<ChainNotes> chains;
  std::optional<SparseTheta>
      end_of_burn_in;  // theta(b) of the first chain: the paper's single posterior draw
  std::uint64_t burn_in = 0, gap = 0;
  bool finished = false;
  std::optional<double> seconds;
  std::string damage;

  // Over all inputs, as draws are given out.
  Architecture architecture() const {
    return Architecture(info.input_names.size(), info.config.widths);
  }
  std::vector<std::size_t> draws_in_turn() const;  // by chain, then by draw
  std::size_t best_draw() const;                   // the draw with the largest posterior density
  void read(const std::filesystem::path& path);
  void read_checkpoint(std::uint32_t chain, const std::string& text);
  void read_note(const std::string& text);
};

}  // namespace lacuna
