// The table of results of a study: what was measured is never measured again, nor lost, nor mixed
// with something else.
#include "studies/ledger.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "lacuna/errors.hpp"
#include "unit/data/files.hpp"

namespace lacuna::studies {
namespace {

class LedgerFile : public lacuna::testing::InFolder {
 protected:
  static Ledger open(const std::string& plan = "full seed 1") {
    return Ledger("data.csv", plan, {"class", "rows"}, {"excess", "live"});
  }
  static std::string content() {
    std::ifstream file("data.csv", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void append(const std::string& text) {
    std::ofstream("data.csv", std::ios::binary | std::ios::app) << text;
  }
  static std::string refusal(const std::string& plan = "full seed 1") {
    return lacuna::testing::error_of([&] { open(plan); });
  }
};

TEST_F(LedgerFile, KeepsEveryNumberBitForBit) {
  Ledger first = open();
  first.add({"smooth", "100"}, {0.1, 1.0 / 3.0});
  first.add({"rough", "100"}, {1e-300, std::nan("")});
  EXPECT_EQ(content().substr(0, 28), "plan,class,rows,excess,live\n");
  const Ledger again = open();
  ASSERT_EQ(again.rows().size(), 2u);
  EXPECT_TRUE(again.holds({"smooth", "100"}));
  EXPECT_FALSE(again.holds({"smooth", "200"}));
  EXPECT_EQ(again.rows().at({"smooth", "100"}), (Values{0.1, 1.0 / 3.0}));
  EXPECT_EQ(again.rows().at({"rough", "100"})[0], 1e-300);
  EXPECT_TRUE(std::isnan(again.rows().at({"rough", "100"})[1]));
}

TEST_F(LedgerFile, FindsColumnsByPattern) {
  Ledger ledger = open();
  ledger.add({"a", "1"}, {1.0, 10.0});
  ledger.add({"a", "2"}, {2.0, 20.0});
  ledger.add({"b", "2"}, {3.0, 30.0});
  EXPECT_EQ(ledger.column("excess", {"a"}), (Values{1.0, 2.0}));
  EXPECT_EQ(ledger.column("live", {"*", "2"}), (Values{20.0, 30.0}));
  EXPECT_TRUE(ledger.column("live", {"c"}).empty());
  EXPECT_THROW(ledger.column("dead", {}), Error);
}

TEST_F(LedgerFile, RefusesRowsThatDoNotFitItsColumns) {
  Ledger ledger = open();
  EXPECT_THROW(ledger.add({"a", "1"}, {1.0}), Error);
  EXPECT_THROW(ledger.add({"a", "1"}, {1.0, 2.0, 3.0}), Error);
  EXPECT_THROW(ledger.add({"a"}, {1.0, 2.0}), Error);
  EXPECT_TRUE(open().rows().empty());
}

TEST_F(LedgerFile, DropsALineThatWasBeingWritten) {
  open().add({"a", "1"}, {1.0, 10.0});
  const std::string whole = content();
  append("full seed 1,a,2,3.0");
  EXPECT_EQ(open().rows().size(), 1u);
  EXPECT_EQ(content(), whole);
}

TEST_F(LedgerFile, ALostHeaderIsWrittenAgain) {
  append("plan,cla");
  EXPECT_TRUE(open().rows().empty());
  EXPECT_EQ(content(), "plan,class,rows,excess,live\n");
}

TEST_F(LedgerFile, RefusesWhatItDidNotWrite) {
  open().add({"a", "1"}, {1.0, 10.0});
  EXPECT_EQ(refusal("small seed 1"),
            "64 data.csv: holds results of another plan (full seed 1, not small seed 1); choose "
            "another folder");
  append("full seed 1,a,2,3.0\n");
  EXPECT_NE(refusal().find("line 3: wrong number of cells"), std::string::npos) << refusal();
  std::ofstream("data.csv", std::ios::binary)
      << "plan,class,rows,excess,live\nfull seed 1,a,2,x,1\n";
  EXPECT_NE(refusal().find("line 2: 'x' is not a number"), std::string::npos) << refusal();
  std::ofstream("data.csv", std::ios::binary) << "a,b\n";
  EXPECT_NE(refusal().find("not the columns of this study"), std::string::npos);
}

}  // namespace
}  // namespace lacuna::studies
