// Edit distance and the choice of the closest name.
#include "lacuna/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lacuna {
namespace {

constexpr std::size_t kLongestWord = 64;  // beyond it a typing slip is no longer the likely trouble

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Edit distance in which a swap of neighbours costs one; three rows of the table are kept.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return "";
  const std::string wanted = lower(word);
  std::string best;
  std::size_t fewest = kLongestWord + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestWord) continue;
    const std::size_t distance = edits(wanted, lower(candidate));
    if (distance < fewest && 3 * distance <= std::max(word.size(), candidate.size())) {
      best = candidate;
      fewest = distance;
    }
  }
  return best;
}

}  // namespace lacuna
