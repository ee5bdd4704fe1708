// A library to be loaded before the C library (LD_PRELOAD) into the real command: it makes writes
// to regular files fail as a disk would, or lets the clock jump. LACUNA_FAULT says how:
//   full:N     the file system takes N more bytes, the last write in part, then none
//   error:N    from the N-th write on every write is an input/output error
//   sync:N     the N-th fsync is an input/output error
//   rough:N    every N-th write is interrupted by a signal or takes a single byte; nothing is lost
//   clock:0    each look at a clock finds it hours away from where it was
// At the end a line goes to LACUNA_FAULT_LOG: bytes that the file system took, calls of write and
// of fsync for regular files.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

template <class Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Fault {
  std::string kind;
  unsigned long number = 0;
  unsigned long writes = 0, syncs = 0, taken = 0, looks = 0;

  Fault() {
    const char* given = std::getenv("LACUNA_FAULT");
    const std::string text = given != nullptr ? given : "none:0";
    const std::size_t colon = text.find(':');
    kind = text.substr(0, colon);
    number = std::strtoul(text.c_str() + colon + 1, nullptr, 10);
  }
  ~Fault() {
    const char* log = std::getenv("LACUNA_FAULT_LOG");
    if (log == nullptr) return;
    const int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    const std::string line =
        std::to_string(taken) + " " + std::to_string(writes) + " " + std::to_string(syncs) + "\n";
    static const auto write_to = original<ssize_t(int, const void*, size_t)>("write");
    if (file < 0 || write_to(file, line.data(), line.size()) < 0) std::abort();
  }
};

Fault& fault() {
  static Fault only;
  return only;
}

bool regular(int file) {
  struct stat about {};
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  static const auto write_to = original<ssize_t(int, const void*, size_t)>("write");
  if (!regular(file)) return write_to(file, bytes, size);
  Fault& f = fault();
  const unsigned long call = ++f.writes;
  if (f.kind == "error" && call >= f.number) {
    errno = EIO;
    return -1;
  }
  if (f.kind == "full") {
    const unsigned long room = f.number > f.taken ? f.number - f.taken : 0;
    if (room == 0) {
      errno = ENOSPC;
      return -1;
    }
    size = size < room ? size : room;
  }
  if (f.kind == "rough" && call % f.number == 0) {
    if (call % (2 * f.number) == 0) {
      errno = EINTR;
      return -1;
    }
    size = 1;
  }
  const ssize_t taken = write_to(file, bytes, size);
  if (taken > 0) f.taken += static_cast<unsigned long>(taken);
  return taken;
}

extern "C" int fsync(int file) {
  static const auto synchronise = original<int(int)>("fsync");
  if (regular(file) && ++fault().syncs == fault().number && fault().kind == "sync") {
    errno = EIO;
    return -1;
  }
  return synchronise(file);
}

extern "C" int clock_gettime(clockid_t clock, struct timespec* now) noexcept {
  static const auto ask = original<int(clockid_t, struct timespec*)>("clock_gettime");
  const int status = ask(clock, now);
  if (fault().kind != "clock") return status;
  // A monotonic clock may only jump ahead, as after a suspended night.
  const auto look = static_cast<time_t>(++fault().looks);
  now->tv_sec += clock == CLOCK_REALTIME ? (look % 2 == 0 ? 86400 : -86400) : 3600 * look;
  return status;
}
