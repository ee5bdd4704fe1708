// The shape of a network and the fixed flat order of its parameters.
//
// Layer l = 1 .. L+1 holds the matrix W(l), row by row (a row is a destination unit), followed by
// the shifts v(l). Layer 0 is the input; layer L+1 has the one output unit. Paper, Section 2.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lacuna {

// Where a parameter sits in the network.
struct Place {
  std::size_t layer = 0;          // 1 .. L+1
  std::uint64_t destination = 0;  // unit of that layer
  std::uint64_t source = 0;       // unit of the layer before; meaningless for a shift
  bool shift = false;
};

class Architecture {
 public:
  // `widths` are the hidden layers. Throws Error(usage) if a size is zero or the parameter count
  // overflows 63 bits.
  Architecture(std::size_t inputs, std::vector<std::size_t> widths);

  std::size_t inputs() const { return sizes_.front(); }
  std::size_t hidden_layers() const { return sizes_.size() - 2; }  // L
  std::size_t layers() const { return sizes_.size() - 1; }         // L+1 layers carry parameters
  std::size_t size(std::size_t layer) const { return sizes_[layer]; }
  std::vector<std::size_t> widths() const { return {sizes_.begin() + 1, sizes_.end() - 1}; }

  std::uint64_t parameter_count() const { return offsets_.back(); }  // P
  std::uint64_t first_index(std::size_t layer) const { return offsets_[layer - 1]; }

  Place place(std::uint64_t index) const;
  std::uint64_t weight_index(std::size_t layer, std::uint64_t destination,
                             std::uint64_t source) const {
    return offsets_[layer - 1] + destination * sizes_[layer - 1] + source;
  }
  std::uint64_t shift_index(std::size_t layer, std::uint64_t destination) const {
    return offsets_[layer - 1] + sizes_[layer] * sizes_[layer - 1] + destination;
  }

 private:
  std::vector<std::size_t> sizes_;      // p, widths..., 1
  std::vector<std::uint64_t> offsets_;  // offsets_[l-1] is where layer l begins; last entry is P
};

}  // namespace lacuna
