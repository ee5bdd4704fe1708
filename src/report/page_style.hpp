// How a report looks, and the little that it does when a script may run.
#pragma once

#include <string>
#include <string_view>

namespace lacuna::report {

// The style sheet: colours of the palette as variables, light and dark, on screen and on paper.
std::string page_style();

// Text for what the reader points at, zooming, and showing one chain alone. A page is complete
// without it.
std::string_view page_script();

}  // namespace lacuna::report
