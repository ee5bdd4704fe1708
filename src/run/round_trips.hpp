// Which point stands on which rung, and how often each has been from the coldest rung to the
// hottest and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace lacuna {

// A replica is what travels: exchanges move replicas between rungs, steps change them in place.
class RoundTrips {
 public:
  explicit RoundTrips(std::size_t rungs)
      : replica_at_(rungs), leg_(rungs, Leg::none), trips_(rungs, 0) {
    std::iota(replica_at_.begin(), replica_at_.end(), std::uint32_t{0});
    look();
  }

  // The replicas on rungs `cold` and `cold + 1` have changed places.
  void exchanged(std::size_t cold) {
    std::swap(replica_at_[cold], replica_at_[cold + 1]);
    look();
  }

  const std::vector<std::uint32_t>& replica_at() const { return replica_at_; }  // by rung
  const std::vector<std::uint64_t>& trips() const { return trips_; }            // by replica

  // What a replica has done since it was last on rung 0.
  enum class Leg : std::uint8_t { none, left_coldest, reached_hottest };
  const std::vector<Leg>& legs() const { return leg_; }  // by replica

  RoundTrips(std::vector<std::uint32_t> replica_at, std::vector<Leg> legs,
             std::vector<std::uint64_t> trips)
      : replica_at_(std::move(replica_at)), leg_(std::move(legs)), trips_(std::move(trips)) {}

 private:
  void look() {
    const std::uint32_t coldest = replica_at_.front(), hottest = replica_at_.back();
    if (leg_[coldest] == Leg::reached_hottest) ++trips_[coldest];
    leg_[coldest] = Leg::left_coldest;
    if (replica_at_.size() > 1 && leg_[hottest] == Leg::left_coldest)
      leg_[hottest] = Leg::reached_hottest;
  }

  std::vector<std::uint32_t> replica_at_;
  std::vector<Leg> leg_;
  std::vector<std::uint64_t> trips_;
};

}  // namespace lacuna
