#include "criteria/ladder.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace tw {
namespace {

// What stands in for an item, by ids: they are made of names alone, so the ids of weaker items
// follow from that of the stronger one.
using Weaker = std::vector<std::string> (*)(std::string_view rest);

// Of a pair about a clause: the clause with both values, or the same pair.
std::vector<std::string> same(std::string_view rest) { return {std::string(rest)}; }

std::vector<std::string> both_values(std::string_view rest) {
  return {fmt::format("{}=true", rest), fmt::format("{}=false", rest)};
}

// "P.a.b#2=true": the guard itself has both values.
std::vector<std::string> whole_guard(std::string_view rest) {
  return both_values(rest.substr(0, rest.rfind('#')));
}

// "P.a.b#2,guard=true"
std::vector<std::string> inactive_values(std::string_view rest) {
  const std::size_t comma = rest.rfind(",guard=");
  const std::string_view clause = rest.substr(0, comma);
  return {fmt::format("{}=true{}", clause, rest.substr(comma)),
          fmt::format("{}=false{}", clause, rest.substr(comma))};
}

// "x=1,y=2,z=3": all but one of them. Names of processes may have commas, which stand in
// parentheses.
std::vector<std::string> fewer_values(std::string_view rest) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= rest.size(); ++i) {
    if (i < rest.size() && rest[i] == '(')
      ++depth;
    if (i < rest.size() && rest[i] == ')')
      --depth;
    if (i == rest.size() || (rest[i] == ',' && depth == 0)) {
      parts.push_back(rest.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  std::vector<std::string> out;
  for (std::size_t skipped = 0; skipped < parts.size(); ++skipped) {
    std::vector<std::string_view> left = parts;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(skipped));
    out.push_back(fmt::format("{}", fmt::join(left, ",")));
  }
  return out;
}

// "x:init:P.a.b": without the use.
std::vector<std::string> definition(std::string_view rest) {
  return {std::string(rest.substr(0, rest.rfind(':')))};
}

struct Rung {
  std::string_view stronger;
  std::string_view weaker;
  Weaker ids;
};

constexpr std::array kRungs = {Rung{"racc", "cacc", &same},
                               Rung{"cacc", "gacc", &both_values},
                               Rung{"gacc", "cc", &same},
                               Rung{"cc", "pc", &whole_guard},
                               Rung{"ricc", "gicc", &inactive_values},
                               Rung{"3wc", "pwc", &fewer_values},
                               Rung{"pwc", "sc", &fewer_values},
                               Rung{"def-use", "all-defs", &definition}};

}  // namespace

std::vector<std::string_view> rungs_below(std::string_view criterion) {
  std::vector<std::string_view> out;
  for (const Rung& rung : kRungs)
    if (rung.stronger == criterion) {
      out.push_back(rung.weaker);
      criterion = rung.weaker;
    }
  return out;
}

void link_rungs(CoverageRules& rules) {
  for (std::size_t i = 0; i < rules.items().size(); ++i) {
    const Item& item = rules.items()[ItemId(i)];
    const std::string_view criterion = rules.criteria()[item.criterion].name;
    const auto* const rung = std::ranges::find(kRungs, criterion, &Rung::stronger);
    if (rung == kRungs.end() || rules.is_half(ItemId(i)))
      continue;
    const std::string_view rest = std::string_view(item.id).substr(criterion.size() + 1);
    for (const std::string& id : rung->ids(rest)) {
      const ItemId weaker = rules.find_item(fmt::format("{}:{}", rung->weaker, id));
      if (weaker.valid())
        rules.add_fallback(ItemId(i), weaker);
    }
  }
}

}  // namespace tw
