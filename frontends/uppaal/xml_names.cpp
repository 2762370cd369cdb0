#include "frontends/uppaal/xml_names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/base/suggest.hpp"
#include "frontends/uppaal/xml_text.hpp"

namespace tw::uppaal {
namespace {

// Words with a meaning in model or query text (docs/uppaal.md 3.1), each between blanks. Many of
// them are legal names for us, but UPPAAL refuses all of them as names of templates and locations.
constexpr std::string_view kReserved =
    " IO Pr X abs acos acosh after_update and asin asinh assert assign atan atan2 atanh "
    "before_update bool bounds branchpoint broadcast cbrt ceil chan clock commit const "
    "control control_t copysign cos cosh deadlock default do double dynamic else erf erfc "
    "exists exit exp exp2 expm1 fabs false fdim fint floor fma fmax fmin fmod for forall "
    "foreach fpclassify gantt guard hybrid hypot if ilogb imitate imply import inf init int "
    "isfinite isinf isnan isnormal isunordered ldexp lgamma ln loadStrategy location log "
    "log10 log1p log2 logb maxE maxPr meta minE minPr nextafter not numOf or pow priority "
    "probability process progress query random random_arcsine random_beta random_gamma "
    "random_normal random_poisson random_tri random_weibull return round sat saveStrategy "
    "scalar select signbit simulate simulation sin sinh spawn sqrt state strategy string "
    "struct sum sup sync system tan tanh tgamma trans true trunc typedef under urgent void "
    "while xor ";

bool is_reserved(const std::string& word) {
  return kReserved.find(' ' + word + ' ') != std::string_view::npos;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '$' || c == '#';
  });
}

std::string lower_case(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return out;
}

constexpr std::size_t kLongestWord = 32;

// Words of the editor's dialogs and of text models that are no kinds in XML.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOtherWords = {{
    {"update", "assignment"},
    {"assign", "assignment"},
    {"sync", "synchronisation"},
    {"weight", "probability"},
    {"rate", "exponentialrate"},
}};

}  // namespace

ast::Name read_name(const SourceText& text, std::string_view what, Diagnostics& diagnostics) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  if (text.blank())
    return {.text = {}, .where = text.where()};
  const std::size_t begin = text.text().find_first_not_of(kBlanks);
  const std::size_t end = text.text().find_last_not_of(kBlanks) + 1;
  ast::Name name{.text = std::string(text.text().substr(begin, end - begin)),
                 .where = text.map(begin, end)};
  if (!is_identifier(name.text))
    diagnostics.error(name.where, quoted(name.text) + " is not a name",
                      "name the " + std::string(what) +
                          " with letters, digits and '_', beginning with a letter or '_'");
  else if (is_reserved(name.text))
    diagnostics.warning(name.where,
                        quoted(name.text) + " is a keyword of the model or query language",
                        "UPPAAL itself refuses this name; rename the " + std::string(what));
  return name;
}

std::string_view nearest_kind(std::string_view word, std::span<const std::string_view> kinds) {
  if (word.size() > kLongestWord)
    return {};
  const auto* other = std::ranges::find(kOtherWords, lower_case(word),
                                        &std::pair<std::string_view, std::string_view>::first);
  if (other != kOtherWords.end() && std::ranges::find(kinds, other->second) != kinds.end())
    return other->second;
  return nearest_word(word, kinds);
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words) {
  if (word.size() > kLongestWord)
    return {};
  const std::string lower = lower_case(word);
  std::string_view best;
  std::size_t least = kLongestWord;
  for (const std::string_view known : words) {
    // Short words are near to everything.
    const std::size_t most = known.size() < 4 ? 1 : 2;
    const std::size_t steps = edit_distance(lower, lower_case(known));
    if (steps <= most && steps < least) {
      least = steps;
      best = known;
    }
  }
  return best;
}

}  // namespace tw::uppaal
