#include "cli/help.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/wrap.hpp"

namespace tw {
namespace {

class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width) : width_(width) {
    constexpr std::size_t kNames = 30;
    column_width(std::min(kNames, width / 3));
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }

  // Groups stand one empty line apart.
  std::string make_help(const CLI::App* app,
                        std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string out = CLI::Formatter::make_help(app, std::move(name), mode);
    constexpr std::string_view kTwo = "\n\n\n";
    for (std::size_t at = out.find(kTwo); at != std::string::npos; at = out.find(kTwo, at))
      out.erase(at, 1);
    return out;
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option),
                 make_option_desc(option));
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_option_text().empty() ? "" : " " + option->get_option_text();
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_display_name(true), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return lines(app->get_description());
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return lines(CLI::Formatter::make_usage(app, std::move(name)));
  }

  std::string make_footer(const CLI::App* app) const override { return lines(app->get_footer()); }

 private:
  // Paragraphs, and examples, which begin with blanks, one a line.
  std::string lines(const std::string& text) const {
    const auto is_prose = [](const std::string& line) { return !line.empty() && line[0] != ' '; };
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string line = text.substr(begin, end - begin);
      if (!parts.empty() && is_prose(parts.back()) && is_prose(line))
        parts.back() += ' ' + line;
      else
        parts.push_back(std::move(line));
      begin = end + 1;
    }
    std::string out;
    for (const std::string& part : parts)
      out += wrap(part, width_, is_prose(part) ? 0 : 6) + '\n';
    return out;
  }

  // A name, and behind or below it what it means.
  std::string entry(const std::string& name, const std::string& words) const {
    const std::size_t column = get_column_width();
    std::string out = wrap("  " + name, width_, 6);
    const std::size_t used = width_of(out);
    if (words.empty())
      return out + '\n';
    if (used + 1 > column || out.find('\n') != std::string::npos)
      out += '\n' + std::string(column, ' ');
    else
      out += std::string(column - used, ' ');
    // As if the name were blanks.
    return out + wrap(std::string(column, ' ') + words, width_, column).substr(column) + '\n';
  }

  std::size_t width_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_formatter(std::size_t width) {
  return std::make_shared<HelpFormatter>(width);
}

}  // namespace tw
