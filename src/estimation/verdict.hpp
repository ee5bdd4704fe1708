// The verdict on a fit, in words: may its draws be read as draws from the posterior?
#pragma once

#include "lacuna/fit.hpp"

namespace lacuna {

// Looks at the numbers of a summary alone; docs/diagnostics.md explains every limit.
Judgement judge(const Summary& summary);

}  // namespace lacuna
