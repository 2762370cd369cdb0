// Public models and the answer each gets: loaded, or the first error. The answers are data,
// reviewed by hand, in corpus_expected.tsv; the models live outside the source tree.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "frontends/load.hpp"

namespace tw {
namespace {

namespace fs = std::filesystem;

// By path relative to the corpus; "ok" or the text of the first error.
using Answers = std::map<std::string, std::string>;

Answers read_expected() {
  std::ifstream in(fs::path(TW_SOURCE_DIR) / "tests" / "uppaal" / "corpus_expected.tsv");
  std::string line;
  std::getline(in, line);
  REQUIRE(line == "file\tanswer");
  Answers answers;
  while (std::getline(in, line)) {
    const std::string::size_type tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    const bool is_new = answers.emplace(line.substr(0, tab), line.substr(tab + 1)).second;
    CAPTURE(line);
    CHECK(is_new);
  }
  return answers;
}

std::string answer_of(const fs::path& path) {
  const LoadedModel model = load_model(path.string());
  for (const Diagnostic& diagnostic : model.diagnostics.all())
    if (diagnostic.severity == Severity::kError)
      return diagnostic.message;
  return model.network ? "ok" : "no network and no error";
}

Answers load_corpus(const fs::path& corpus) {
  Answers answers;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(corpus)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".xml" || extension == ".xta" || extension == ".ta")
      answers[entry.path().lexically_relative(corpus).generic_string()] = answer_of(entry.path());
  }
  return answers;
}

TEST_CASE("a public model gets the answer on the list", "[uppaal][corpus]") {
  const Answers expected = read_expected();
  REQUIRE_FALSE(expected.empty());
  const fs::path corpus = fs::path(TW_SOURCE_DIR).parent_path() / "shared" / "corpus" / "uppaal";
  if (!fs::is_directory(corpus)) {
    WARN("skipped: there is no " << corpus);
    return;
  }
  const Answers actual = load_corpus(corpus);
  for (const auto& [file, answer] : actual) {
    CAPTURE(file);
    const auto at = expected.find(file);
    if (at == expected.end())
      FAIL_CHECK("not listed in corpus_expected.tsv; it gets: " << answer);
    else
      CHECK(answer == at->second);
  }
  for (const auto& [file, answer] : expected) {
    CAPTURE(file, answer);
    CHECK(actual.count(file) == 1);
  }
}

}  // namespace
}  // namespace tw
