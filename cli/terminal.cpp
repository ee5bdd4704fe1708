#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>

namespace lacuna::cli {
namespace {

// Read by every thread of a fit, so a plain signal flag would be a race.
std::atomic<bool> stop_flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not lock");

void ask_to_stop(int) { stop_flag = true; }

// The first signal asks for a clean stop, the second has its usual effect.
void listen_to(int signal) {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

constexpr double seconds_between_lines = 10.0;

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// A bar with eighth-of-a-cell resolution.
std::string bar(double fraction, int cells) {
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int steps = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * cells * 8);
  std::string text;
  for (int i = 0; i < steps / 8; ++i) text += "█";
  const int rest = steps % 8;
  text += eighths[rest];
  for (int i = steps / 8 + (rest > 0); i < cells; ++i) text += " ";
  return text;
}

std::string numbers(const Progress& p) {
  if (!p.words.empty()) {
    return p.seconds_left > 0.0 ? fmt::format("{}  {} left", p.words, clock_time(p.seconds_left))
                                : p.words;
  }
  return fmt::format("{} steps/s  accepted {:.0f}%  risk {:.4g}  active {:.0f}  {} left",
                     grouped(static_cast<std::uint64_t>(p.steps_per_second)), 100.0 * p.acceptance,
                     p.risk, p.active, clock_time(p.seconds_left));
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, std::ceil(seconds)));
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

bool interrupted() { return stop_flag; }

Terminal::Terminal(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {
  stop_flag = false;
  listen_to(SIGINT);
  listen_to(SIGTERM);
}

Terminal::~Terminal() { clear_bar(); }

bool Terminal::stop_requested() { return interrupted(); }

void Terminal::warn(const std::string& sentence) {
  clear_bar();
  fmt::print(stderr, "warning: {}\n", sentence);
}

void Terminal::inform(const std::string& sentence) {
  if (quiet_) return;
  clear_bar();
  fmt::print(stderr, "{}\n", sentence);
}

void Terminal::progress(const Progress& now) {
  if (quiet_) return;
  if (terminal_) return draw_bar(now);
  const auto time = std::chrono::steady_clock::now();
  const bool new_phase = now.phase != phase_;
  if (!new_phase &&
      std::chrono::duration<double>(time - last_line_).count() < seconds_between_lines)
    return;
  phase_ = now.phase;
  last_line_ = time;
  if (now.steps_done == 0 && now.words.empty()) {
    fmt::print(stderr, "{}: looking for starting networks\n", now.phase);
  } else {
    fmt::print(stderr, "{}: {:.0f}%  {}\n", now.phase, 100.0 * now.fraction, numbers(now));
  }
  std::fflush(stderr);
}

void Terminal::draw_bar(const Progress& now) {
  std::string line = fmt::format("{:<8} ", now.phase);
  if (now.steps_done == 0 && now.words.empty()) {
    line += "looking for starting networks ...";
  } else {
    const std::string text = numbers(now);
    const int room = terminal_width() - static_cast<int>(text.size()) - 20;
    if (room >= 6) line += fmt::format("▕{}▏", bar(now.fraction, std::min(room, 30)));
    line += fmt::format("{:>3.0f}%  {}", 100.0 * now.fraction, text);
  }
  fmt::print(stderr, "\r\x1b[K{}", line);
  std::fflush(stderr);
  bar_shown_ = true;
}

void Terminal::clear_bar() {
  if (!bar_shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  bar_shown_ = false;
}

std::string wrapped(const std::string& label, const std::string& words, std::size_t columns) {
  std::string text, row = label;
  bool empty = true;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (!empty && row.size() + 1 + (end - at) > columns) {
      text += row + '\n';
      row.assign(label.size(), ' ');
      empty = true;
    }
    if (!empty) row += ' ';
    row += words.substr(at, end - at);
    empty = false;
    at = end + 1;
  }
  return text + row + '\n';
}

}  // namespace lacuna::cli
