// Python looks on while the library works, and can stop it.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "lacuna/sinks.hpp"
#include "python/bindings/bindings.hpp"

namespace lacuna::python {

// Hands reports to a Python object with methods progress, warn and inform, or to nobody (None), and
// turns Ctrl-C into a request to stop. The run goes on without the interpreter's lock; each report
// takes it.
class PythonObserver : public Observer {
  using Clock = std::chrono::steady_clock;

 public:
  explicit PythonObserver(nb::object listener) : listener_(std::move(listener)) {}

  void progress(const Progress& now) override {
    tell([&] {
      listener_.attr("progress")(now.phase, now.fraction, now.steps_per_second, now.acceptance,
                                 now.risk, now.active, now.seconds_left);
    });
  }
  void warn(const std::string& sentence) override {
    tell([&] { listener_.attr("warn")(sentence); });
  }
  void inform(const std::string& sentence) override {
    tell([&] { listener_.attr("inform")(sentence); });
  }

  // Asked by many threads; signals can be looked for in the one that called.
  bool stop_requested() override {
    if (!stop_ && std::this_thread::get_id() == caller_ &&
        Clock::now() - looked_ > std::chrono::milliseconds(50)) {
      looked_ = Clock::now();
      const nb::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() != 0) {
        PyErr_Clear();
        stop_ = interrupted_ = true;
      }
    }
    return stop_;
  }

  bool interrupted() const { return interrupted_; }
  // What a listener threw, to be thrown on once the file is in order.
  void rethrow() {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Telling>
  void tell(const Telling& telling) {
    const nb::gil_scoped_acquire lock;
    if (listener_.is_none()) return;
    try {
      telling();
    } catch (const nb::python_error& error) {
      // Ctrl-C may be noticed by the interpreter while it runs the listener.
      if (error.matches(PyExc_KeyboardInterrupt)) {
        interrupted_ = true;
      } else {
        failure_ = std::current_exception();
      }
      stop_ = true;
    }
  }

  nb::object listener_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point looked_ = Clock::now();
  std::atomic<bool> stop_ = false, interrupted_ = false;
  std::exception_ptr failure_;
};

}  // namespace lacuna::python
