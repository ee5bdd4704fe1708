// The .lacuna file: opened, summarised, predicted from, and gone on with. Checksums are put right
// first, because an attacker would do so too.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lacuna/errors.hpp"
#include "lacuna/fit.hpp"
#include "run/bytes.hpp"
#include "run/fit_file.hpp"

namespace lacuna {
namespace {

// Asks to stop before the first step: reading is what is tried here, not sampling.
class Impatient : public Observer {
  bool stop_requested() override { return true; }
};

void seal(std::string& bytes, std::uint64_t begin, std::uint64_t length) {
  const std::uint64_t sum = XXH3_64bits(bytes.data() + begin, length);
  std::string text;
  append_number(text, sum);
  bytes.replace(begin + length, text.size(), text);
}

// Puts all checksums right as far as lengths make sense.
void seal_all(std::string& bytes) {
  constexpr std::uint64_t header = 24, frame = 16, checksum = 8;
  std::uint64_t at = 0;
  for (std::uint64_t start = header; bytes.size() - at >= start + checksum; start = frame) {
    const auto length =
        *ByteReader(std::string_view(bytes).substr(at + start - 8)).number<std::uint64_t>();
    if (length > bytes.size() - at - start - checksum) return;
    seal(bytes, at, start + length);
    at += start + length + checksum;
  }
}

// A file in memory, with a path of its own.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) {
    if (ftruncate(descriptor(), 0) != 0 ||
        pwrite(descriptor(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      __builtin_trap();
  }
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor()); }

 private:
  static int descriptor() {
    static const int only = memfd_create("fit", 0);
    return only;
  }
};

template <class Use>
void tried(const Use& use) {
  try {
    use();
  } catch (const Error&) {
  }
}

// The data that the seeds of the corpus were fitted to.
Dataset data_of_the_corpus() {
  Dataset data;
  data.rows = 4;
  data.inputs = 1;
  data.input_names = {"a"};
  data.target_name = "y";
  data.x = {0.0, 1.0, 2.0, 3.0};
  data.y = {0.0, 1.0, 1.0, 3.0};
  return data;
}

}  // namespace
}  // namespace lacuna

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lacuna;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  seal_all(bytes);
  const MemoryFile file(bytes);
  bool readable = false;
  tried([&] {
    const Fit fit = Fit::open(file.path());
    readable = true;
    fit.for_each_draw([](const DrawView&) {});
    tried([&] { fit.summary(); });
    PredictOptions options;
    options.threads = 1;
    tried(
        [&] { fit.predict(std::vector<double>(fit.info().input_names.size(), 0.5), 1, options); });
  });
  if (!readable) return 0;  // they would be refused for the same reason
  tried([&] { planned_draws(file.path()); });
  tried([&] {
    static const Dataset known = data_of_the_corpus();
    Impatient observer;
    go_on(known, file.path(), {.draws = {}, .time_limit = {}, .threads = 1}, observer);
  });
  return 0;
}
