// The TOML file of `fit --config`.
#include <cstdint>

#include "cli/fit_options.hpp"
#include "lacuna/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lacuna;
  cli::FitArguments arguments;
  try {
    cli::apply_config_text(arguments, {reinterpret_cast<const char*>(data), size}, "x.toml");
    check_config(arguments.config);
  } catch (const Error&) {
  }
  return 0;
}
