// Checks of what a user can set: `name=value: rule`, thrown as a usage error.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "lacuna/errors.hpp"

namespace lacuna {

template <class T>
[[noreturn]] void refuse(std::string_view name, const T& value, std::string_view rule) {
  throw Error(ErrorKind::usage, fmt::format("{}={}: {}", name, value, rule));
}

inline void check_finite(std::string_view name, double value) {
  if (!std::isfinite(value)) refuse(name, value, "must be a finite number");
}

template <class T>
void check_at_least(std::string_view name, T value, T least) {
  if constexpr (std::is_floating_point_v<T>) check_finite(name, value);
  if (!(value >= least)) refuse(name, value, fmt::format("must be >= {}", least));
}

inline void check_between(std::string_view name, double value, double least, double most) {
  check_at_least(name, value, least);
  if (value > most) refuse(name, value, fmt::format("must be <= {}", most));
}

inline void check_above(std::string_view name, double value, double limit) {
  check_finite(name, value);
  if (!(value > limit)) refuse(name, value, fmt::format("must be > {}", limit));
}

}  // namespace lacuna
