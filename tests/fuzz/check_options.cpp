#include "tests/fuzz/check_options.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"

namespace tw::fuzz {
namespace {

std::vector<std::string> words_of(const std::string& lines) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    out.push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

bool is_clean(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n'; });
}

std::string fault_of(const ParsedLine& parsed) {
  if (parsed.command != nullptr)
    return parsed.code == ExitCode::kOk && parsed.out.empty() && parsed.err.empty()
               ? ""
               : "a command with a message";
  if (!parsed.out.empty())
    return parsed.code == ExitCode::kOk && parsed.err.empty() ? "" : "help with a message";
  if (parsed.code != ExitCode::kUsage)
    return "an exit code that is not that of wrong usage";
  if (!parsed.err.starts_with("error: ") || !parsed.err.ends_with('\n') ||
      parsed.err.find("\n  hint: ") == std::string::npos)
    return "a message without error or hint: " + parsed.err;
  return is_clean(parsed.err) ? "" : "a message with control characters";
}

}  // namespace

std::optional<std::string> find_options_fault(const std::string& lines) {
  const std::vector<std::string> words = words_of(lines);
  constexpr std::size_t kWidths = 120;
  const std::size_t width = 20 + lines.size() % kWidths;
  const ParsedLine parsed = [&] {
    CommandLine line(width);
    ParsedLine out = line.parse(words);
    if (const std::string fault = fault_of(out); !fault.empty())
      out.err = "fault: " + fault;
    out.command = nullptr;  // gone with the line
    return out;
  }();
  if (parsed.err.starts_with("fault: "))
    return parsed.err;
  CommandLine again(width);
  const ParsedLine same = again.parse(words);
  if (same.code != parsed.code || same.out != parsed.out || same.err != parsed.err)
    return "the same words give another result";
  return std::nullopt;
}

}  // namespace tw::fuzz
