// JSON of unknown origin: ordinary texts are read, nesting is limited.
#include "support/bounded_json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lacuna {
namespace {

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(BoundedJson, OrdinaryTextsAreRead) {
  const nlohmann::json json = parse_bounded_json(R"({"a": [1, 2.5, {"b": null}], "c": "d"})");
  EXPECT_EQ(json.at("a").at(1).get<double>(), 2.5);
  EXPECT_EQ(json.at("c").get<std::string>(), "d");
}

TEST(BoundedJson, NestingIsLimited) {
  EXPECT_NO_THROW(parse_bounded_json(nested(deepest_json)));
  EXPECT_THROW(parse_bounded_json(nested(deepest_json + 2)), std::runtime_error);
  EXPECT_THROW(parse_bounded_json(std::string(1000000, '[')), std::runtime_error);
  EXPECT_THROW(parse_bounded_json(std::string(1000000, '{')), std::exception);
}

TEST(BoundedJson, BracketsInTextsDoNotCount) {
  const std::string many(100, '[');
  EXPECT_EQ(parse_bounded_json("[\"" + many + "\"]").at(0).get<std::string>(), many);
  EXPECT_EQ(parse_bounded_json(R"(["\"[\\", [1]])").at(0).get<std::string>(), "\"[\\");
  EXPECT_THROW(parse_bounded_json(R"(["\\", ")" + many + "\", " + many + "]"), std::runtime_error);
}

TEST(BoundedJson, CountsAreWhole) {
  const nlohmann::json json = parse_bounded_json("[7, -1, 2.5, 1e300, 4294967296, \"7\", null]");
  EXPECT_EQ(json.at(0).get<std::uint64_t>(), 7u);
  EXPECT_EQ(json.at(4).get<std::uint64_t>(), 4294967296u);
  EXPECT_EQ(json.at(0).get<std::uint32_t>(), 7u);
  for (const std::size_t k : {1, 2, 3, 5, 6}) {
    EXPECT_THROW(json.at(k).get<std::uint64_t>(), std::exception) << k;
    EXPECT_THROW(json.at(k).get<std::uint32_t>(), std::exception) << k;
  }
  EXPECT_THROW(json.at(4).get<std::uint32_t>(), std::exception);
  EXPECT_THROW(json.get<std::vector<std::uint64_t>>(), std::exception);
  EXPECT_EQ(nlohmann::json(std::uint64_t{7}).dump(), "7");
}

TEST(BoundedJson, BrokenTextsAreRefused) {
  for (const char* text : {"", "{", "[1,", "{\"a\":}", "nul", "[1] 2", "\xff"}) {
    EXPECT_THROW(parse_bounded_json(text), std::exception) << text;
  }
}

}  // namespace
}  // namespace lacuna
