// Progress, warnings and interrupts of a run as a person at a terminal, or a log file, sees them.
#pragma once

#include <chrono>
#include <string>

#include "lacuna/sinks.hpp"

namespace lacuna::cli {

// A bar that redraws itself when standard error is a terminal; otherwise a plain line every ten
// seconds. Warnings are always shown; the rest is silent with `quiet`. Ctrl-C and SIGTERM ask for a
// clean stop; a second one ends at once.
class Terminal : public Observer {
 public:
  explicit Terminal(bool quiet);
  ~Terminal() override;

  void progress(const Progress& now) override;
  void warn(const std::string& sentence) override;
  void inform(const std::string& sentence) override;
  bool stop_requested() override;

 private:
  void draw_bar(const Progress& now);
  void clear_bar();

  bool quiet_, terminal_, bar_shown_ = false;
  std::string phase_;
  std::chrono::steady_clock::time_point last_line_{};
};

// Whether Ctrl-C or SIGTERM came since a Terminal was made.
bool interrupted();

// 1234567 as 1,234,567.
std::string grouped(std::uint64_t number);
std::string clock_time(double seconds);
// Words behind a label, in lines of at most `columns` that are aligned under each other.
std::string wrapped(const std::string& label, const std::string& words, std::size_t columns);

}  // namespace lacuna::cli
