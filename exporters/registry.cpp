#include <algorithm>
#include <array>

#include "exporters/report.hpp"

namespace tw {

#define TW_EXPORTER(function, name, summary) std::unique_ptr<Exporter> function();
#include "exporters/exporters.def"
#undef TW_EXPORTER

namespace {

constexpr std::array kInfos = {
#define TW_EXPORTER(function, name, summary) ExporterInfo{name, summary},
#include "exporters/exporters.def"
#undef TW_EXPORTER
};

using MakeFunction = std::unique_ptr<Exporter> (*)();

constexpr std::array<MakeFunction, kInfos.size()> kMakers = {
#define TW_EXPORTER(function, name, summary) &function,
#include "exporters/exporters.def"
#undef TW_EXPORTER
};

}  // namespace

Exporter::~Exporter() = default;

std::span<const ExporterInfo> exporters() { return kInfos; }

std::unique_ptr<Exporter> make_exporter(std::string_view name) {
  for (std::size_t i = 0; i < kInfos.size(); ++i)
    if (kInfos[i].name == name)
      return kMakers[i]();
  return nullptr;
}

}  // namespace tw
