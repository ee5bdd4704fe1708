// Where progress and messages of a running fit go, and where a wish to stop comes from. Algorithms
// do no I/O.
#pragma once

#include <cstdint>
#include <string>

namespace lacuna {

struct Progress {
  std::string phase;              // "start", "burn-in", "sampling"
  double fraction = 0.0;          // of the whole run
  std::uint64_t steps_done = 0;   // over all chains
  std::uint64_t steps_total = 0;  // 0 while it is not known (runs planned by time)
  double steps_per_second = 0.0;
  double acceptance = 0.0;  // share of proposals accepted since the last report
  double risk = 0.0;        // mean over chains of R_n at the current points
  double active = 0.0;      // mean over chains of |I|
  double seconds_left = 0.0;
  std::string words;  // where given, shown instead of the numbers of a fit
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void progress(const Progress&) {}
  virtual void warn(const std::string&) {}
  virtual void inform(const std::string&) {}
  // Asked between rounds of steps and while starts are trained, then from several threads at once.
  virtual bool stop_requested() { return false; }
};

}  // namespace lacuna
