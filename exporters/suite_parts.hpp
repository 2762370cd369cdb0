// The JSON of a suite cut into parts that are small whatever the size of the file: a member of the
// whole, an item, a member of a test, a step. Each is made into a tree, looked at and dropped. For
// this room only: it shows nlohmann/json.
//
// Keys may come in any order. A key that is given twice is an error, since readers differ in which
// of the values they take. Members of the whole and of tests that nobody asks for are skipped.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.hpp"
#include "exporters/suite_source.hpp"

namespace tw {

/// A value and the path to it. Only a faulty path is ever put into words, so the parts are linked
/// and not copied.
class JsonNode {
 public:
  using Json = nlohmann::json;  // sorted keys: the order means nothing here

  explicit JsonNode(const Json& value) : value_(&value) {}

  [[nodiscard]] const Json& value() const { return *value_; }

  [[nodiscard]] JsonNode at(const Json& value, std::string_view key) const {
    JsonNode out(value);
    out.parent_ = this;
    out.key_ = key;
    return out;
  }

  [[nodiscard]] JsonNode at(const Json& value, std::size_t index) const {
    JsonNode out(value);
    out.parent_ = this;
    out.index_ = index;
    out.is_element_ = true;
    return out;
  }

  /// "tests[2].steps[0].edges"; empty: the whole.
  [[nodiscard]] std::string path() const;

 private:
  const Json* value_;                 // borrowed: outlives the node
  const JsonNode* parent_ = nullptr;  // borrowed: on the stack of the caller
  std::string_view key_;              // of the document or of the program
  std::size_t index_ = 0;
  bool is_element_ = false;
};

/// Who looks at the parts. What is said of a test comes between its beginning and its end.
class SuiteParts {
 public:
  SuiteParts() = default;
  SuiteParts(const SuiteParts&) = delete;
  SuiteParts& operator=(const SuiteParts&) = delete;
  virtual ~SuiteParts() = default;

  /// Whether a member of the whole is wanted: "items" and "tests" in their parts.
  [[nodiscard]] virtual bool wants(std::string_view key) = 0;
  /// The list of items, of tests, or of the steps of a test: its elements follow.
  virtual void begin_list(std::string_view key) = 0;
  /// Any other member.
  virtual void member(std::string_view key, const JsonNode& node) = 0;
  virtual void item(const JsonNode& node) = 0;
  virtual void begin_test() = 0;
  virtual void test_member(std::string_view key, const JsonNode& node) = 0;
  virtual void step(const JsonNode& node) = 0;
  virtual void end_test(const JsonNode& node) = 0;
  /// Something that is no object stands where a test should.
  virtual void no_test(const JsonNode& node) = 0;
  /// The whole is no object.
  virtual void no_suite(const JsonNode& node) = 0;
  /// False: the rest is not wanted.
  [[nodiscard]] virtual bool goes_on() { return true; }
};

struct SuiteProblems;

/// False if it is no JSON, or has a key twice.
bool read_parts(const SuiteSource& source, SuiteParts& parts, SuiteProblems& problems);

}  // namespace tw
