// Recognises UTF-8 characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace lacuna {

// Length in bytes of the UTF-8 character at the front of a text that is not empty, or 0 if there is
// none. Overlong forms, surrogates and what lies beyond U+10FFFF are not UTF-8.
std::size_t utf8_length(std::string_view text);

}  // namespace lacuna
