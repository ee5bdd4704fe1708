#include "support/team.hpp"

namespace lacuna {
namespace {

// Some tens of microseconds: passes over the rows follow each other faster, and a thread that waits
// longer sleeps.
constexpr int looks_before_sleep = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Until the number is no longer `old`.
template <class Number>
void wait_while(const std::atomic<Number>& number, Number old) {
  for (int look = 0; look < looks_before_sleep; ++look) {
    if (number.load(std::memory_order_acquire) != old) return;
    pause();
  }
  while (number.load(std::memory_order_acquire) == old) number.wait(old);
}

}  // namespace

Team::Team(std::size_t threads) {
  for (std::size_t member = 1; member < threads; ++member) {
    helpers_.emplace_back([this, member] { help(member); });
  }
}

Team::~Team() { order(nullptr, nullptr); }

void Team::order(Call call, const void* context) {
  if (helpers_.empty()) {
    if (call != nullptr) call(context, 0);
    return;
  }
  call_ = call;
  context_ = context;
  busy_.store(helpers_.size(), std::memory_order_relaxed);
  orders_.fetch_add(1, std::memory_order_release);
  orders_.notify_all();
  if (call == nullptr) return;  // the helpers go home
  call(context, 0);
  for (std::size_t left = busy_.load(std::memory_order_acquire); left > 0;
       left = busy_.load(std::memory_order_acquire)) {
    wait_while(busy_, left);
  }
}

void Team::help(std::size_t member) {
  for (std::uint64_t seen = 0;; ++seen) {
    wait_while(orders_, seen);
    if (call_ == nullptr) return;
    call_(context_, member);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

}  // namespace lacuna
