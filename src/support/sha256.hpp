// SHA-256 as base64, by which a page's Content-Security-Policy knows its own script and style.
#pragma once

#include <string>
#include <string_view>

namespace lacuna {

// FIPS 180-4, and base64 with padding.
std::string sha256_base64(std::string_view bytes);

}  // namespace lacuna
