// Values by draw and by row.
#include "estimation/turned_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lacuna {
namespace {

// Squares of eight by eight, and what is left of rows and draws beside them.
TEST(TurnedRows, HoldTheDrawsOfEachRow) {
  constexpr std::size_t stride = 70;
  for (const std::size_t rows : {1, 7, 8, 9, 64, 70}) {
    for (const std::size_t draws : {1, 8, 15, 40, 43}) {
      std::vector<double> f(draws * stride), turned(rows * draws, -1.0);
      for (std::size_t k = 0; k < f.size(); ++k) f[k] = static_cast<double>(k);
      turn_rows(f.data(), stride, rows, draws, turned.data());
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < draws; ++k)
          ASSERT_EQ(turned[i * draws + k], f[k * stride + i]) << rows << " x " << draws;
      }
    }
  }
}

}  // namespace
}  // namespace lacuna
