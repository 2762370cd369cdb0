#include "exporters/time_text.hpp"

#include <fmt/format.h>

namespace tw {
namespace {

// More digits are harder to read than a fraction.
constexpr unsigned kMostDigits = 4;

std::string describe_interval(const Delay& delay) {
  const std::string low = describe_time(delay.min);
  const std::string high = delay.max ? describe_time(*delay.max) : "";
  const bool from_zero = delay.min == 0 && !delay.min_strict;
  if (!delay.max && from_zero)
    return "any time";
  if (delay.max && !from_zero && !delay.min_strict && !delay.max_strict)
    return fmt::format("{} to {}", low, high);
  std::string out;
  if (!from_zero)
    out = delay.min_strict ? fmt::format("more than {}", low) : fmt::format("{} or more", low);
  if (!delay.max)
    return out;
  return fmt::format("{}{}{} {}", out, out.empty() ? "" : ", ",
                     delay.max_strict ? "less than" : "up to", high);
}

}  // namespace

std::string describe_time(const Rational& time) {
  // As whole number of the smallest decimal unit that can say it.
  Rational scaled = time;
  for (unsigned digits = 0; digits <= kMostDigits; ++digits, scaled *= 10) {
    if (scaled.get_den() != 1)
      continue;
    if (digits == 0)
      break;
    std::string text = mpz_class(abs(scaled.get_num())).get_str();
    if (text.size() <= digits)
      text.insert(0, digits + 1 - text.size(), '0');
    text.insert(text.size() - digits, 1, '.');
    return time < 0 ? "-" + text : text;
  }
  return to_string(time);
}

std::string describe_duration(const Rational& time) {
  return fmt::format("{} time unit{}", describe_time(time), time == 1 ? "" : "s");
}

std::string describe_delay(const Delay& delay) {
  const std::string wait = "wait " + describe_time(delay.chosen);
  if (delay.max && delay.min == *delay.max)
    return delay.chosen == 0 ? "" : wait + " exactly";
  const std::string margin =
      delay.margin == 0 ? "" : fmt::format(" ± {}", describe_time(delay.margin));
  return fmt::format("{}{} ({})", wait, margin, describe_interval(delay));
}

}  // namespace tw
