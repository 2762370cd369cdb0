// Citations as a test. What comments cite of the documents exists, be it a section by number
// (docs/algorithms.md 2.4) or by heading (docs/criteria.md#cacc), and so does what documents link
// to. Papers are cited by documents alone: comments lead to the place where it is told in our own
// words.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = TW_SOURCE_DIR;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  REQUIRE(in.is_open());
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);)
    out.push_back(line);
  return out;
}

std::vector<fs::path> files_below(const std::vector<std::string>& folders,
                                  const std::set<std::string>& extensions) {
  std::vector<fs::path> out;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
      if (extensions.contains(entry.path().extension().string()))
        out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

// What links to a heading are made of.
std::string anchor_of(std::string_view heading) {
  std::string out;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ')
      out += '-';
    else if (is_word(c) || c == '-' || byte >= 0x80)
      out += static_cast<char>(std::tolower(byte));
  }
  return out;
}

// "2", "2.4", as long as it is one.
std::string number_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (is_digit(text[end]) || (text[end] == '.' && end != 0 && end + 1 < text.size() &&
                                  is_digit(text[end - 1]) && is_digit(text[end + 1]))))
    ++end;
  return std::string(text.substr(0, end));
}

struct Document {
  std::set<std::string> numbers;
  std::set<std::string> anchors;
};

Document read_document(const fs::path& file) {
  Document out;
  bool fenced = false;
  for (const std::string& line : lines_of(file)) {
    if (line.starts_with("```"))
      fenced = !fenced;
    const std::size_t text = line.find_first_not_of('#');
    if (fenced || text == 0 || text == std::string::npos || line[text] != ' ')
      continue;
    const std::string heading = line.substr(text + 1);
    out.anchors.insert(anchor_of(heading));
    const std::string number = number_at(heading);
    if (!number.empty())
      out.numbers.insert(number);
  }
  return out;
}

const Document& document(const fs::path& file) {
  static std::map<fs::path, Document> known;
  const auto [found, is_new] = known.try_emplace(file);
  if (is_new)
    found->second = read_document(file);
  return found->second;
}

// The file as one line, without what begins comments.
std::string joined(const fs::path& file) {
  std::string out;
  for (const std::string& line : lines_of(file)) {
    const std::size_t text = line.find_first_not_of(" /#");
    if (text != std::string::npos)
      out += line.substr(text) + ' ';
  }
  return out;
}

// Numbers after the name of a document: " 2.4, 2.5", " 4 and 7", " 2 to 7".
std::vector<std::string> numbers_after(std::string_view text) {
  std::vector<std::string> out;
  std::string_view before = " ";
  while (text.starts_with(before)) {
    const std::string number = number_at(text.substr(before.size()));
    if (number.empty())
      break;
    out.push_back(number);
    text.remove_prefix(before.size() + number.size());
    before = "";
    for (const std::string_view link : {", ", " and ", " to "})
      if (text.starts_with(link))
        before = link;
    if (before.empty())
      break;
  }
  return out;
}

// A place in a document, as it is cited.
std::string within(std::string name, std::string_view mark, std::string_view place) {
  name += mark;
  name += place;
  return name;
}

// What is wrong with the citations of a text.
std::vector<std::string> wrong_citations(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = text.find("docs/"); at != std::string_view::npos;
       at = text.find("docs/", at + 1)) {
    const std::string_view rest = text.substr(at);
    const auto stop = std::find_if(rest.begin(), rest.end(), [](char c) {
      return !is_word(c) && c != '/' && c != '-' && c != '.';
    });
    std::string name(rest.begin(), stop);
    while (name.ends_with('.'))
      name.pop_back();
    if (!name.ends_with(".md") || (at != 0 && (is_word(text[at - 1]) || text[at - 1] == '/')))
      continue;
    if (!fs::exists(kRoot / name)) {
      out.push_back(name);
      continue;
    }
    const Document& cited = document(kRoot / name);
    const std::string_view behind = rest.substr(name.size());
    for (const std::string& number : numbers_after(behind))
      if (!cited.numbers.contains(number))
        out.push_back(within(name, " ", number));
    if (!behind.starts_with('#'))
      continue;
    const auto end = std::find_if(behind.begin() + 1, behind.end(),
                                  [](char c) { return !is_word(c) && c != '-'; });
    const std::string anchor(behind.begin() + 1, end);
    if (!cited.anchors.contains(anchor))
      out.push_back(within(name, "#", anchor));
  }
  return out;
}

TEST_CASE("sections that comments cite exist", "[meta]") {
  std::vector<std::string> wrong;
  for (const fs::path& file : files_below(
           {"engine", "criteria", "frontends", "exporters", "cli", "tests", "bench", "tools"},
           {".cpp", ".hpp", ".def", ".py", ".sh", ""}))
    for (const std::string& citation : wrong_citations(joined(file)))
      wrong.push_back(fs::relative(file, kRoot).string() + " cites " + citation);
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("citations are told apart", "[meta]") {
  using Strings = std::vector<std::string>;
  const std::string algorithms = std::string("docs/") + "algorithms.md";
  const std::string criteria = std::string("docs/") + "criteria.md";
  CHECK(wrong_citations("see " + algorithms + " 2.4, 2.5). " + criteria + "#cacc.") == Strings{});
  CHECK(wrong_citations(algorithms + " 2 to 7, " + algorithms + " 99.1") ==
        Strings{algorithms + " 99.1"});
  CHECK(wrong_citations(algorithms + " 2.4 and 77.") == Strings{algorithms + " 77"});
  CHECK(wrong_citations(criteria + "#nothing") == Strings{criteria + "#nothing"});
  CHECK(wrong_citations(std::string("docs/") + "no_such.md") ==
        Strings{std::string("docs/") + "no_such.md"});
}

// Targets of `[text](target)`.
std::vector<std::string> links_in(const fs::path& file) {
  std::vector<std::string> out;
  bool fenced = false;
  for (const std::string& line : lines_of(file)) {
    if (line.starts_with("```"))
      fenced = !fenced;
    for (std::size_t at = line.find("]("); !fenced && at != std::string::npos;
         at = line.find("](", at + 1)) {
      const std::size_t end = line.find(')', at);
      if (end != std::string::npos)
        out.push_back(line.substr(at + 2, end - at - 2));
    }
  }
  return out;
}

TEST_CASE("links of documents lead somewhere", "[meta]") {
  std::vector<fs::path> files = files_below({"docs", "models"}, {".md"});
  files.push_back(kRoot / "README.md");
  files.push_back(kRoot / "CONTRIBUTING.md");
  std::vector<std::string> wrong;
  for (const fs::path& file : files)
    for (const std::string& link : links_in(file)) {
      if (link.find("://") != std::string::npos)
        continue;
      const std::size_t hash = std::min(link.find('#'), link.size());
      const fs::path target = hash == 0 ? file : file.parent_path() / link.substr(0, hash);
      const bool exists = fs::exists(target);
      if (!exists || (hash != link.size() &&
                      !document(target.lexically_normal()).anchors.contains(link.substr(hash + 1))))
        wrong.push_back(fs::relative(file, kRoot).string() + " links to " + link);
    }
  CHECK(wrong == std::vector<std::string>{});
}

// "Dill 1989", "(2004)": a year as a word.
bool names_a_year(std::string_view comment) {
  for (std::size_t at = 0; at + 4 <= comment.size(); ++at) {
    const std::string_view year = comment.substr(at, 4);
    const bool alone = (at == 0 || !is_word(comment[at - 1])) &&
                       (at + 4 == comment.size() || !is_word(comment[at + 4]));
    if (alone && (year.starts_with("19") || year.starts_with("20")) && is_digit(year[2]) &&
        is_digit(year[3]))
      return true;
  }
  return false;
}

TEST_CASE("papers are cited by documents, not by comments", "[meta]") {
  std::vector<std::string> found;
  for (const fs::path& file : files_below({"engine", "criteria", "frontends", "exporters", "cli"},
                                          {".cpp", ".hpp", ".def"}))
    for (const std::string& line : lines_of(file)) {
      const std::size_t comment = line.find("// ");
      if (comment != std::string::npos && names_a_year(std::string_view(line).substr(comment)))
        found.push_back(fs::relative(file, kRoot).string() + ": " + line);
    }
  CHECK(found == std::vector<std::string>{});
}

}  // namespace
