// With the probe as Z and a stored zone as Z', Z is not simulated if for some x and y (with Z'yx
// for the bound on y - x, and so on, and 0 as the lower bound of clock 0)
//
//   Z'yx < Zyx,  Z'yx + (<, -Ly) < Z0x,  and Z0x >= (<=, -Ux):
//
// Z'yx is less than a limit that depends on the probe alone. The other way round, with the stored
// zone as Z, Zyx is greater than Z'yx and Z0x greater than a limit that depends on the probe.
//
// Packed numbers lie strictly between the least and the greatest one, which is infinity. So limits
// that are out of range may be replaced by these two, and comparisons say the same.
#include "engine/zone/zone_probe.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tw {
namespace {

using zone_numbers::as;
using zone_numbers::by_width;
using zone_numbers::is_any_set;
using zone_numbers::load;
using zone_numbers::VectorOf;

constexpr std::size_t kVector = ZoneProbe::kVector;
constexpr std::int32_t kNever = -(1 << 30);
constexpr std::int32_t kFar = 1 << 29;
// Numbers up to this are stored in 16 bits, so that sums of two, and the next two numbers, which
// are beyond all sums, still fit.
constexpr std::int32_t kMostShort = 10000;
constexpr std::int16_t kNeverShort = -3 * kMostShort;
constexpr std::int16_t kFarShort = 2 * kMostShort;

template <class Number>
constexpr std::int32_t kLeast = std::numeric_limits<Number>::min();
template <class Number>
constexpr std::int32_t kGreatest = std::numeric_limits<Number>::max();

template <class Number>
Number clamp(std::int32_t number) {
  return static_cast<Number>(std::clamp(number, kLeast<Number>, kGreatest<Number>));
}

template <class Number>
Bound unpacked(Number number) {
  return number == kGreatest<Number> ? Bound::infinity() : Bound::from_raw(number);
}

template <class Number>
typename VectorOf<Number>::Type all(std::int32_t number) {
  typename VectorOf<Number>::Type out{};
  return out + static_cast<Number>(number);
}

// Numbers of half the width; one that does not fit becomes the nearest one that does.
VectorOf<std::int16_t>::Type halve(VectorOf<std::int32_t>::Type low,
                                   VectorOf<std::int32_t>::Type high) {
#if defined(__SSE2__)
  return __builtin_ia32_packssdw128(low, high);
#else
  VectorOf<std::int16_t>::Type out;
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = clamp<std::int16_t>(low[i]);
    out[4 + i] = clamp<std::int16_t>(high[i]);
  }
  return out;
#endif
}

VectorOf<std::int8_t>::Type halve(VectorOf<std::int16_t>::Type low,
                                  VectorOf<std::int16_t>::Type high) {
#if defined(__SSE2__)
  using Chars [[gnu::vector_size(kVector)]] = char;
  const Chars out = __builtin_ia32_packsswb128(low, high);
  VectorOf<std::int8_t>::Type same;
  std::memcpy(&same, &out, kVector);
  return same;
#else
  VectorOf<std::int8_t>::Type out;
  for (std::size_t i = 0; i < 8; ++i) {
    out[i] = clamp<std::int8_t>(low[i]);
    out[8 + i] = clamp<std::int8_t>(high[i]);
  }
  return out;
#endif
}

// Makes numbers of 16 bits, as good as can be. Returns the bits of all magnitudes together, which
// is no less than any of them and less than twice the greatest; that of a negative number is one
// less, and infinity has none.
std::int32_t shorten(const Bound* __restrict from, std::size_t count, std::int16_t* __restrict to) {
  using Numbers = VectorOf<std::int32_t>::Type;
  constexpr std::size_t kHalf = VectorOf<std::int32_t>::kCount;
  constexpr std::size_t kStep = 2 * kHalf;
  Numbers all{};
  std::size_t k = 0;
  for (; k + kStep <= count; k += kStep) {
    Numbers low;
    Numbers high;
    std::memcpy(&low, from + k, sizeof low);
    std::memcpy(&high, from + k + kHalf, sizeof high);
    all |= ((low ^ (low >> 31)) & (low != kGreatest<std::int32_t>)) |
           ((high ^ (high >> 31)) & (high != kGreatest<std::int32_t>));
    const auto shorts = halve(low, high);
    std::memcpy(to + k, &shorts, sizeof shorts);
  }
  std::int32_t out = all[0] | all[1] | all[2] | all[3];
  for (; k < count; ++k) {
    const std::int32_t number = from[k].raw();
    out |= from[k].is_infinite() ? 0 : number ^ (number >> 31);
    to[k] = clamp<std::int16_t>(number);
  }
  return out;
}

bool are_within(const Bound* bounds, std::size_t count, std::int32_t most) {
  return std::all_of(bounds, bounds + count, [&](Bound bound) {
    return bound.is_infinite() || (bound.raw() >= -most && bound.raw() <= most);
  });
}

template <class To>
void clamp_all(const std::int16_t* __restrict from, std::size_t count, To* __restrict to) {
  std::size_t k = 0;
  if constexpr (sizeof(To) == sizeof(std::int8_t)) {
    constexpr std::size_t kStep = VectorOf<std::int16_t>::kCount;
    for (; k + kStep <= count; k += kStep) {
      const auto shorts = load(from + k);
      const auto bytes = halve(shorts, shorts);
      std::memcpy(to + k, &bytes, kStep);
    }
  }
  for (; k < count; ++k)
    to[k] = clamp<To>(from[k]);
}

using Shorts = VectorOf<std::int16_t>::Type;
constexpr std::size_t kShorts = VectorOf<std::int16_t>::kCount;

void store(std::int16_t* to, const Shorts& vector) { std::memcpy(to, &vector, kVector); }

}  // namespace

ZoneProbe::ZoneProbe(std::size_t size)
    : n_(size),
      shorts_(size * size + kVector),
      packed_(stride(sizeof(Bound)) + kVector),
      below_(stride(sizeof(Bound)) + kVector),
      above_(stride(sizeof(Bound)) + kVector),
      columns_(size),
      short_columns_(size + kVector),
      short_limits_(size * size + kVector) {}

std::size_t ZoneProbe::set_zone(const ZoneView& zone) {
  const std::size_t count = n_ * n_;
  zone_ = zone.data();
  bounds_ = nullptr;
  // Mostly the greatest magnitude is known well enough.
  const std::int32_t most = shorten(zone_, count, shorts_.data());
  const auto fits = [&](std::int32_t limit) {
    return most < limit || (most < 2 * limit && are_within(zone_, count, limit));
  };
  is_short_ = fits(kMostShort);
  if (!is_short_)
    return sizeof(std::int32_t);
  return fits(kGreatest<std::int8_t> - 1) ? sizeof(std::int8_t) : sizeof(std::int16_t);
}

void ZoneProbe::pack(std::size_t width) {
  const std::size_t count = n_ * n_;
  by_width(width, [&](auto number) {
    using Number = decltype(number);
    auto* const out = as<Number>(packed_.data());
    if (width_ != width) {
      in_row_.assign(n_ * width, std::byte{0xFF});
      in_row_.resize(n_ * width + 2 * kVector);
      std::fill_n(out, stride(width) / width, static_cast<Number>(kGreatest<Number>));
      std::fill_n(as<Number>(below_.data()), stride(width) / width,
                  static_cast<Number>(kLeast<Number>));
    }
    if (is_short_ && sizeof(Number) < sizeof(Bound))  // 16 bits have another infinity
      clamp_all(shorts_.data(), count, out);
    else
      for (std::size_t k = 0; k < count; ++k)
        out[k] = clamp<Number>(zone_[k].raw());
  });
  width_ = width;
}

void ZoneProbe::set_bounds(const LuBounds& bounds) {
  bounds_ = &bounds;
  has_above_ = false;
  std::int32_t most = 0;
  for (std::size_t i = 1; i < n_; ++i)
    most = std::max({most, bounds.lower[i], bounds.upper[i]});
  has_short_bounds_ = is_short_ && width_ != sizeof(std::int32_t) && most <= kMostShort / 2;
  if (has_short_bounds_)
    limit_shorts_below();
  else
    by_width(width_, [&](auto number) { limit_plainly_below<decltype(number)>(); });
}

// The plain way, for numbers and bounds that may be great.
template <class Number>
void ZoneProbe::limit_plainly_below() {
  columns_[0] = zone_[0].raw();
  for (std::size_t x = 1; x < n_; ++x)
    columns_[x] = zone_[x] < Bound::at_most(-bounds_->upper[x]) ? kNever : zone_[x].raw();
  auto* const out = as<Number>(below_.data());
  for (std::size_t y = 0; y < n_; ++y) {
    const std::int32_t lower = y == 0 ? 0 : 2 * bounds_->lower[y];
    for (std::size_t x = 0; x < n_; ++x)
      out[y * n_ + x] =
          clamp<Number>(std::min(zone_[y * n_ + x].raw(), (columns_[x] + lower + 1) & ~1));
  }
}

template <class Number>
void ZoneProbe::limit_plainly_above() {
  auto* const out = as<Number>(above_.data());
  for (std::size_t y = 0; y < n_; ++y) {
    const std::int32_t lower = y == 0 ? 0 : 2 * bounds_->lower[y];
    for (std::size_t x = 0; x < n_; ++x) {
      const std::int32_t upper = x == 0 ? kNever : -2 * bounds_->upper[x];
      const std::int32_t sum = (std::min(zone_[y * n_ + x].raw(), kFar) & ~1) - lower;
      out[y * n_ + x] = clamp<Number>(std::max(upper, sum));
    }
  }
}

// The same in vectors. The last one of a row goes beyond its end, where the next row comes to lie.
void ZoneProbe::limit_shorts_below() {
  const Shorts even = all<std::int16_t>(~1);
  short_columns_[0] = shorts_[0];
  for (std::size_t x = 1; x < n_; ++x)
    short_columns_[x] = shorts_[x] < 1 - 2 * bounds_->upper[x] ? kNeverShort : shorts_[x];
  for (std::size_t y = 0; y < n_; ++y) {
    const Shorts lower = all<std::int16_t>(y == 0 ? 1 : 2 * bounds_->lower[y] + 1);
    for (std::size_t x = 0; x < n_; x += kShorts) {
      const Shorts row = load(shorts_.data() + y * n_ + x);
      const Shorts sum = (load(short_columns_.data() + x) + lower) & even;
      store(short_limits_.data() + y * n_ + x, row < sum ? row : sum);
    }
  }
  by_width(width_, [&](auto number) {
    clamp_all(short_limits_.data(), n_ * n_, as<decltype(number)>(below_.data()));
  });
}

void ZoneProbe::limit_shorts_above() {
  const Shorts even = all<std::int16_t>(~1);
  const Shorts far = all<std::int16_t>(kFarShort);
  short_columns_[0] = kNeverShort;
  for (std::size_t x = 1; x < n_; ++x)
    short_columns_[x] = static_cast<std::int16_t>(-2 * bounds_->upper[x]);
  for (std::size_t y = 0; y < n_; ++y) {
    const Shorts lower = all<std::int16_t>(y == 0 ? 0 : 2 * bounds_->lower[y]);
    for (std::size_t x = 0; x < n_; x += kShorts) {
      const Shorts row = load(shorts_.data() + y * n_ + x);
      const Shorts upper = load(short_columns_.data() + x);
      const Shorts sum = ((row < far ? row : far) & even) - lower;
      store(short_limits_.data() + y * n_ + x, upper < sum ? sum : upper);
    }
  }
  by_width(width_, [&](auto number) {
    clamp_all(short_limits_.data(), n_ * n_, as<decltype(number)>(above_.data()));
  });
}

void ZoneProbe::limit_above() {
  if (has_above_)
    return;
  has_above_ = true;
  if (has_short_bounds_)
    limit_shorts_above();
  else
    by_width(width_, [&](auto number) { limit_plainly_above<decltype(number)>(); });
}

Bound ZoneProbe::unpack(const std::byte* zone, std::size_t width, std::size_t at) {
  return by_width(width, [&](auto number) { return unpacked(as<decltype(number)>(zone)[at]); });
}

void ZoneProbe::unpack(const std::byte* zone, std::size_t width, Bound* __restrict out) const {
  by_width(width, [&](auto number) {
    const auto* const in = as<decltype(number)>(zone);
    for (std::size_t k = 0; k < n_ * n_; ++k)
      out[k] = unpacked(in[k]);
  });
}

}  // namespace tw
