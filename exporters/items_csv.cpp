// One line per item, for spreadsheets and for `join` and `diff`. Fields are quoted as RFC 4180
// says; lines end in a line feed alone, as every tool on this side of the world expects.

#include <fmt/format.h>

#include "exporters/csv.hpp"
#include "exporters/report.hpp"

namespace tw {
namespace {

class ItemsCsv final : public Exporter {
 public:
  std::size_t write(const Report& report, Sink& sink) const override {
    const WrittenSuite suite(report, report.suite.tests.size());
    sink.write("id,criterion,status,depth,tests,label\n");
    for (std::size_t i = 0; i < report.rules.items().size(); ++i) {
      const Item& item = report.rules.items()[ItemId(i)];
      const Verdict& verdict = report.verdicts[i];
      if (verdict.status == ItemStatus::kNotCounted)
        continue;
      std::string names;
      for (const std::size_t test : suite.tests_of(ItemId(i)))
        names += (names.empty() ? "" : " ") + test_name(test);
      sink.write(fmt::format(
          "{},{},{},{},{},{}\n", csv_field(item.id),
          csv_field(report.rules.criteria()[item.criterion].name), name_of(verdict.status),
          verdict.status == ItemStatus::kCovered ? std::to_string(verdict.depth) : "", names,
          csv_field(item.label)));
    }
    return suite.tests();
  }
};

}  // namespace

std::unique_ptr<Exporter> make_items_csv() { return std::make_unique<ItemsCsv>(); }

}  // namespace tw
