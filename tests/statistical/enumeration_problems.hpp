// The tiny networks whose posterior over active sets is known by quadrature.
#pragma once

#include "statistical/problem.hpp"

namespace lacuna::statistical {

// theta = (W1, v1, W2, v2). Half of the box gives some clipped row (C < B, |v2| <= B).
inline Problem four_weights() {
  return {{1},
          {{-1.0}, {-0.6}, {-0.2}, {0.1}, {0.4}, {0.7}, {1.0}, {1.3}},
          {-0.2, 0.1, 0.0, 0.3, 0.7, 0.9, 1.4, 1.6},
          1.0,
          2.0,
          1.5};
}

inline Problem seven_weights_wide() {
  return {
      {2}, {{-1.2}, {-0.7}, {-0.3}, {0.2}, {0.8}, {1.2}}, {1.1, 0.6, -0.1, 0.2, 0.9, 1.2}, 1.0, 2.0,
      1.5};
}

inline Problem seven_weights_deep() {
  return {{1, 1},
          {{-1.0, 0.5}, {-0.8, -1.0}, {-0.4, 0.8}, {0.6, -0.3}, {1.0, 1.0}, {1.4, -0.6}},
          {-0.4, -0.5, -0.3, 0.7, 1.1, 1.2},
          1.25,
          2.0,
          1.75};
}

}  // namespace lacuna::statistical
