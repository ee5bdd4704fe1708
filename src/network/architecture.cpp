#include "network/architecture.hpp"

#include <algorithm>

#include "lacuna/errors.hpp"
#include "support/check.hpp"

namespace lacuna {

Architecture::Architecture(std::size_t inputs, std::vector<std::size_t> widths) {
  check_at_least<std::size_t>("inputs", inputs, 1);
  check_at_least<std::size_t>("depth", widths.size(), 1);
  for (const std::size_t width : widths) check_at_least<std::size_t>("width", width, 1);

  sizes_.push_back(inputs);
  sizes_.insert(sizes_.end(), widths.begin(), widths.end());
  sizes_.push_back(1);

  std::uint64_t total = 0;
  offsets_.push_back(total);
  for (std::size_t layer = 1; layer < sizes_.size(); ++layer) {
    std::uint64_t fan_in = 0, count = 0;
    const bool overflow = __builtin_add_overflow(sizes_[layer - 1], std::uint64_t{1}, &fan_in) ||
                          __builtin_mul_overflow(fan_in, sizes_[layer], &count) ||
                          __builtin_add_overflow(total, count, &total);
    if (overflow || total >> 63 != 0) {
      throw Error(ErrorKind::usage,
                  "the network has more than 2^63 parameters; use fewer or narrower layers");
    }
    offsets_.push_back(total);
  }
}

Place Architecture::place(std::uint64_t index) const {
  const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), index);
  Place place;
  place.layer = static_cast<std::size_t>(after - offsets_.begin());
  const std::uint64_t within = index - offsets_[place.layer - 1];
  const std::uint64_t sources = sizes_[place.layer - 1];
  const std::uint64_t weights = sources * sizes_[place.layer];
  if (within < weights) {
    place.destination = within / sources;
    place.source = within % sources;
  } else {
    place.destination = within - weights;
    place.shift = true;
  }
  return place;
}

}  // namespace lacuna
