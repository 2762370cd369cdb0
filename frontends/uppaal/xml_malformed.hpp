// What is wrong with a file that is no well-formed XML. Internal to the XML reader.
#pragma once

#include "engine/base/diagnostics.hpp"

namespace pugi {
struct xml_parse_result;
}

namespace tw::uppaal {

/// Pre: pugixml refused the text of the file, which is not empty.
void report_malformed(const SourceFile& file,
                      const pugi::xml_parse_result& result,
                      Diagnostics& diagnostics);

}  // namespace tw::uppaal
