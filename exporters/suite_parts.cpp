#include "exporters/suite_parts.hpp"

#include <fmt/format.h>
#include <set>
#include <utility>
#include <vector>

#include "exporters/suite_read.hpp"

namespace tw {
namespace {

using Json = JsonNode::Json;

// The elements of these lists are parts of their own.
constexpr std::string_view kItemsKey = "items";
constexpr std::string_view kTestsKey = "tests";
constexpr std::string_view kStepsKey = "steps";

class Cutter final : public nlohmann::json_sax<Json> {
 public:
  Cutter(const SuiteSource& source, SuiteParts& parts, SuiteProblems& problems)
      : source_(source),
        parts_(parts),
        problems_(problems) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // not in text
  bool start_object(std::size_t /*size*/) override { return begin(Json::object()); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t /*size*/) override { return begin(Json::array()); }
  bool end_array() override { return end(); }

  bool key(string_t& key) override {
    if (skipped_ != 0)
      return true;
    const bool is_new =
        open_.empty() ? levels_.back().keys.insert(key).second : !open_.back()->contains(key);
    key_ = std::move(key);
    if (!is_new)
      problems_.diagnostics.error({}, fmt::format("the key '{}' is given twice", path_to_key()));
    return is_new;
  }

  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const Json::exception& error) override {
    constexpr int kNumberTooLarge = 406;
    problems_.place = source_.place(position == 0 ? 0 : position - 1);
    if (error.id == kNumberTooLarge)
      problems_.diagnostics.error({}, "this number is too large to read");
    else
      problems_.diagnostics.error(
          {}, "this is not JSON",
          "suites are written by: tracewright generate MODEL --format json");
    return false;
  }

  [[nodiscard]] bool is_enough() const { return is_enough_; }

 private:
  enum class Place {
    kOutside,
    kWhole,
    kItems,
    kTests,
    kTest,
    kSteps
  };

  // What is read in parts and is not complete yet: the whole, its tests, one of them, its steps.
  struct Level {
    Place place = Place::kOutside;
    std::set<std::string> keys;  // of an object: seen so far
    std::size_t next = 0;        // of a list: element
  };

  [[nodiscard]] Place place() const {
    return levels_.empty() ? Place::kOutside : levels_.back().place;
  }

  [[nodiscard]] bool is_wanted() const { return place() != Place::kWhole || parts_.wants(key_); }

  // The level that an object or a list begins here; kOutside: it is (in) a part.
  [[nodiscard]] Place level_of(bool is_object) const {
    if (is_object)
      return place() == Place::kOutside ? Place::kWhole
             : place() == Place::kTests ? Place::kTest
                                        : Place::kOutside;
    if (place() == Place::kWhole && key_ == kItemsKey)
      return Place::kItems;
    if (place() == Place::kWhole && key_ == kTestsKey)
      return Place::kTests;
    return place() == Place::kTest && key_ == kStepsKey ? Place::kSteps : Place::kOutside;
  }

  bool add(Json value) {
    if (skipped_ != 0)
      return true;
    if (!open_.empty()) {
      insert(std::move(value));
      return true;
    }
    if (is_wanted()) {
      part_key_ = key_;
      part_ = std::move(value);
      hand_over();
    }
    return goes_on();
  }

  bool begin(Json empty) {
    if (skipped_ != 0 || (open_.empty() && !is_wanted())) {
      ++skipped_;
      return true;
    }
    if (!open_.empty()) {
      open_.push_back(insert(std::move(empty)));
      return true;
    }
    const Place level = level_of(empty.is_object());
    if (level != Place::kOutside) {
      levels_.push_back({.place = level, .keys = {}, .next = 0});
      if (level == Place::kTest)
        parts_.begin_test();
      else if (level != Place::kWhole)
        parts_.begin_list(key_);
      return true;
    }
    part_key_ = key_;
    part_ = std::move(empty);
    open_.push_back(&part_);
    return true;
  }

  bool end() {
    if (skipped_ != 0) {
      --skipped_;
      return true;
    }
    if (!open_.empty()) {
      open_.pop_back();
      if (open_.empty())
        hand_over();
      return goes_on();
    }
    const Place level = place();
    levels_.pop_back();
    if (level == Place::kTest) {
      const JsonNode tests = root_.at(kNone, kTestsKey);
      parts_.end_test(tests.at(kNone, levels_.back().next++));
    }
    return goes_on();
  }

  // Into the innermost container that is open; its place there. That stays valid: while something
  // is open nothing is added around it.
  Json* insert(Json value) {
    Json& into = *open_.back();
    if (into.is_object())
      return &(into[key_] = std::move(value));
    into.push_back(std::move(value));
    return &into.back();
  }

  void hand_over() {
    switch (place()) {
      case Place::kOutside:
        parts_.no_suite(JsonNode(part_));
        break;
      case Place::kWhole:
        parts_.member(part_key_, root_.at(part_, part_key_));
        break;
      case Place::kItems: {
        const JsonNode items = root_.at(kNone, kItemsKey);
        parts_.item(items.at(part_, levels_.back().next++));
        break;
      }
      case Place::kTests: {
        const JsonNode tests = root_.at(kNone, kTestsKey);
        parts_.no_test(tests.at(part_, levels_.back().next++));
        break;
      }
      case Place::kTest: {
        const JsonNode tests = root_.at(kNone, kTestsKey);
        const JsonNode test = tests.at(kNone, levels_[1].next);
        parts_.test_member(part_key_, test.at(part_, part_key_));
        break;
      }
      case Place::kSteps: {
        const JsonNode tests = root_.at(kNone, kTestsKey);
        const JsonNode test = tests.at(kNone, levels_[1].next);
        const JsonNode steps = test.at(kNone, kStepsKey);
        parts_.step(steps.at(part_, levels_.back().next++));
        break;
      }
    }
    part_ = nullptr;
  }

  bool goes_on() {
    is_enough_ = !parts_.goes_on();
    return !is_enough_;
  }

  // The part and the key; what lies between is easily found.
  [[nodiscard]] std::string path_to_key() const {
    std::string out;
    for (const Level& level : levels_) {
      if (level.place == Place::kItems)
        out = fmt::format("items[{}].", level.next);
      else if (level.place == Place::kTest)
        out = fmt::format("tests[{}].", levels_[1].next);
      else if (level.place == Place::kSteps)
        out += fmt::format("steps[{}].", level.next);
    }
    if (!open_.empty() && (place() == Place::kWhole || place() == Place::kTest))
      out += part_key_ + '.';
    return out + (open_.size() > 1 ? "…." : "") + key_;
  }

  inline static const Json kNone = nullptr;

  const SuiteSource& source_;
  SuiteParts& parts_;
  SuiteProblems& problems_;
  const JsonNode root_{kNone};
  std::vector<Level> levels_;
  std::size_t skipped_ = 0;  // objects and lists that are open and not wanted
  std::string key_;          // the last one read
  Json part_;                // the part that is being read
  std::string part_key_;     // its own, in an object
  std::vector<Json*> open_;  // containers in it that are open, the innermost last
  bool is_enough_ = false;
};

}  // namespace

std::string JsonNode::path() const {
  if (parent_ == nullptr)
    return {};
  const std::string out = parent_->path();
  if (is_element_)
    return fmt::format("{}[{}]", out, index_);
  return out.empty() ? std::string(key_) : fmt::format("{}.{}", out, key_);
}

bool read_parts(const SuiteSource& source, SuiteParts& parts, SuiteProblems& problems) {
  Cutter cutter(source, parts, problems);
  const std::unique_ptr<std::istream> bytes = source.bytes();
  if (Json::sax_parse(*bytes, &cutter) || cutter.is_enough())
    return true;
  // Whatever stopped it has said so, but for a file that cannot be read any more.
  if (!problems.diagnostics.has_errors())
    problems.diagnostics.error({}, "the file cannot be read to its end");
  return false;
}

}  // namespace tw
