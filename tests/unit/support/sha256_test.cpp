// SHA-256 against the examples of FIPS 180-4, and lengths around a block.
#include "support/sha256.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256_base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(sha256_base64("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
  EXPECT_EQ(sha256_base64(std::string(1000000, 'a')),
            "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}

TEST(Sha256, PadsEveryLengthAroundABlock) {
  EXPECT_EQ(sha256_base64(std::string(1, 'x')), "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=");
  EXPECT_EQ(sha256_base64(std::string(55, 'x')), "1eKFaDzU78AtAhpcYgFGlJWJAQBdb3HongmJ+sd+QHI=");
  EXPECT_EQ(sha256_base64(std::string(56, 'x')), "BMJiYTcO51QVSdFt7jIMcj4/0UZx5moJmv4KN3wWiI4=");
  EXPECT_EQ(sha256_base64(std::string(63, 'x')), "dSILRyGCeOZW8gE7uPDEVaJerwHobGSSTp1I2Jd21vI=");
  EXPECT_EQ(sha256_base64(std::string(64, 'x')), "fOEAlx9k5wAej+WlGXPs3+HO1Cvv5+6NX9YhlQa1OTw=");
  EXPECT_EQ(sha256_base64(std::string(65, 'x')), "lTfF/fEgSC99WNJentWD9SwCtOME6oFNsWM61WWu1+k=");
}

}  // namespace
}  // namespace lacuna
