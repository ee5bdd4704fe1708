// The one exception type that leaves the library: a sentence for the user and the exit code that
// goes with it.
#pragma once

#include <stdexcept>
#include <string>

namespace lacuna {

// Values are the exit codes of the command (sysexits, and 128 + SIGINT).
enum class ErrorKind {
  usage = 64,
  bad_data = 65,
  no_input = 66,
  internal = 70,
  cannot_create = 73,
  io = 74,
  interrupted = 130,
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

}  // namespace lacuna
