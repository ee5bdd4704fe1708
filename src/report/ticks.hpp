// Ranges of values and round tick marks for them.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace lacuna::report {

struct Range {
  double low = 0.0;
  double high = 1.0;
};

// Finite, and small enough in size for differences of two such values to be finite too.
bool drawable(double value);

// The smallest range of all drawable values. One that is empty in length is widened around its
// value; no values at all give [0, 1].
Range range_of(std::initializer_list<std::span<const double>> groups);

// Widened by `share` of its length at both ends.
Range padded(Range range, double share);

struct Ticks {
  std::vector<double> at;
  std::vector<std::string> labels;
};

// At most `most` (two or more) multiples of 1, 2 or 5 times a power of ten inside the range, in
// increasing order. Labels are decimal where that is short, and powers of ten otherwise.
Ticks nice_ticks(Range range, int most);

// For a logarithmic scale, in increasing order: `range` and the places are decimal logarithms, the
// labels the values themselves. Powers of ten, with 2 and 5 times those, or all digits, where the
// range holds only few.
Ticks logarithmic_ticks(Range range);

}  // namespace lacuna::report
