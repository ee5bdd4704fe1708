// Work shared among threads: every piece once, and the first failure by index, whatever the number
// of threads.
#include "support/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace lacuna {
namespace {

TEST(ParallelFor, EveryPieceIsDoneOnce) {
  for (const std::size_t threads : {1, 2, 7}) {
    for (const std::size_t count : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> done(count);
      parallel_for(count, threads, [&](std::size_t i) { ++done[i]; });
      for (const std::atomic<int>& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, TheFailureOfTheLowestIndexIsTheOneReported) {
  for (const std::size_t threads : {1, 2, 7}) {
    std::atomic<int> done = 0;
    try {
      parallel_for(50, threads, [&](std::size_t i) {
        ++done;
        if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
      });
      ADD_FAILURE() << "no exception with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
    EXPECT_EQ(done, 50) << "one failure does not keep the others from their work";
  }
}

TEST(ParallelInPieces, PiecesOfAnItemFollowOneAnother) {
  for (const std::size_t threads : {1, 2, 7}) {
    for (const std::size_t count : {0, 1, 2, 20}) {
      std::vector<std::vector<std::size_t>> done(count);
      std::vector<std::atomic<int>> inside(count);
      parallel_in_pieces(count, 5, threads, [&](std::size_t item, std::size_t piece) {
        EXPECT_EQ(++inside[item], 1) << "two threads at one item";
        done[item].push_back(piece);
        --inside[item];
      });
      for (const auto& pieces : done) EXPECT_EQ(pieces, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    }
  }
}

TEST(ParallelInPieces, ItemsKeepStepWithOneAnother) {
  std::vector<std::size_t> order;
  parallel_in_pieces(3, 2, 1, [&](std::size_t item, std::size_t) { order.push_back(item); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2}));
}

TEST(ParallelInPieces, AnItemEndsWithItsFailure) {
  for (const std::size_t threads : {1, 2, 7}) {
    std::atomic<int> done = 0;
    try {
      parallel_in_pieces(10, 4, threads, [&](std::size_t item, std::size_t piece) {
        ++done;
        if (item >= 3 && piece == 1) throw std::runtime_error(std::to_string(item));
      });
      ADD_FAILURE() << "no exception with " << threads << " threads";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
    EXPECT_EQ(done, 3 * 4 + 7 * 2) << "what comes after a failure is left out, the others are not";
  }
}

TEST(ThreadCount, ZeroMeansOnePerCore) {
  EXPECT_EQ(thread_count(3), 3u);
  EXPECT_GE(thread_count(0), 1u);
}

}  // namespace
}  // namespace lacuna
