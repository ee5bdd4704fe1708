#include "network/input_choice.hpp"

#include <algorithm>
#include <utility>

namespace lacuna {

InputChoice::InputChoice(std::size_t inputs, std::vector<std::size_t> chosen,
                         std::size_t first_width)
    : inputs_(inputs), chosen_(std::move(chosen)), first_width_(first_width) {}

// The first matrix is stored destination by destination; what is behind it is as far from the end
// in both networks.
void InputChoice::to_all(std::vector<std::uint64_t>& index) const {
  if (chosen_.empty()) return;
  const std::uint64_t left = chosen_.size(), matrix = first_width_ * left;
  for (std::uint64_t& i : index) {
    i = i < matrix ? i / left * inputs_ + chosen_[i % left] : i + first_width_ * (inputs_ - left);
  }
}

void InputChoice::to_left(std::vector<std::uint64_t>& index) const {
  if (chosen_.empty()) return;
  const std::uint64_t left = chosen_.size(), matrix = first_width_ * inputs_;
  for (std::uint64_t& i : index) {
    if (i >= matrix) {
      i -= first_width_ * (inputs_ - left);
      continue;
    }
    const auto place = std::ranges::lower_bound(chosen_, i % inputs_) - chosen_.begin();
    i = i / inputs_ * left + static_cast<std::uint64_t>(place);
  }
}

}  // namespace lacuna
