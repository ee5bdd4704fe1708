// A network that is given some of the inputs of the data only, and the same network over all of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lacuna {

// Chains that leave out inputs count their coordinates in the network over those that are left;
// everything that reads a fit counts them in the network over all inputs. The order is the same.
class InputChoice {
 public:
  // `chosen`: increasing; empty: all of `inputs`. `first_width`: units of the first hidden layer.
  InputChoice(std::size_t inputs, std::vector<std::size_t> chosen, std::size_t first_width);

  // From flat indices of the network over the inputs left to those of the network over all, and
  // back, which takes indices that have a place there.
  void to_all(std::vector<std::uint64_t>& index) const;
  void to_left(std::vector<std::uint64_t>& index) const;

 private:
  std::size_t inputs_;
  std::vector<std::size_t> chosen_;
  std::uint64_t first_width_;
};

}  // namespace lacuna
