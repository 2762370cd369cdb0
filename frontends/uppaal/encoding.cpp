#include "frontends/uppaal/encoding.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

namespace tw::uppaal {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

constexpr std::string_view kHint =
    "save the file as UTF-8, or declare its encoding in the first line, such as "
    "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>";
constexpr std::string_view kTextHint = "save the file as UTF-8";

enum class Encoding : std::uint8_t {
  kUtf8,
  kUtf16Little,
  kUtf16Big,
  kUtf16,  // declared without saying which
  kLatin1,
  kWindows1252,
  kAscii,
};

struct EncodingName {
  std::string_view name;
  Encoding encoding;
};

constexpr std::array kEncodingNames = {
    EncodingName{"utf-8", Encoding::kUtf8},
    EncodingName{"utf8", Encoding::kUtf8},
    EncodingName{"utf-16", Encoding::kUtf16},
    EncodingName{"utf16", Encoding::kUtf16},
    EncodingName{"utf-16le", Encoding::kUtf16Little},
    EncodingName{"utf-16be", Encoding::kUtf16Big},
    EncodingName{"iso-8859-1", Encoding::kLatin1},
    EncodingName{"iso8859-1", Encoding::kLatin1},
    EncodingName{"iso_8859-1", Encoding::kLatin1},
    EncodingName{"latin1", Encoding::kLatin1},
    EncodingName{"latin-1", Encoding::kLatin1},
    EncodingName{"windows-1252", Encoding::kWindows1252},
    EncodingName{"cp1252", Encoding::kWindows1252},
    EncodingName{"us-ascii", Encoding::kAscii},
    EncodingName{"ascii", Encoding::kAscii},
};

// Windows-1252 differs from iso-8859-1 in 0x80 … 0x9F; the five bytes it leaves undefined stay as
// they are.
constexpr std::array<char32_t, 32> kWindows1252High = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

unsigned byte_at(std::string_view bytes, std::size_t offset) {
  return static_cast<unsigned char>(bytes[offset]);
}

std::string hexadecimal(unsigned value, int digits) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += kDigits[(value >> static_cast<unsigned>(shift)) & 0xFU];
  return "0x" + out;
}

/// Why a byte cannot be read; empty: all is well.
struct Problem {
  std::size_t offset = 0;  // in the text written so far
  std::string message;
};

struct Decoded {
  std::string text;
  Problem problem;
};

// Ends the text with a stand-in for what could not be read; nothing after the problem is used.
Decoded broken(std::string text, std::string message) {
  const std::size_t offset = text.size();
  append_utf8(text, kReplacement);
  return {.text = std::move(text), .problem = {.offset = offset, .message = std::move(message)}};
}

std::string nul_message(std::size_t offset) {
  return "NUL byte at byte offset " + std::to_string(offset) + ", expected text";
}

// Bytes of the UTF-8 character at offset; 0: no valid character (also overlong forms, surrogates
// and values above 0x10FFFF, see table 3-7 of the Unicode standard).
std::size_t utf8_length(std::string_view bytes, std::size_t offset) {
  const unsigned first = byte_at(bytes, offset);
  if (first < 0x80)
    return 1;
  if (first < 0xC2 || first > 0xF4)
    return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (bytes.size() - offset < length)
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(bytes, offset + i) & 0xC0U) != 0x80U)
      return 0;
  const unsigned second = byte_at(bytes, offset + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
}

// skipped: bytes of the file in front of these, for the message.
Decoded check_utf8(std::string_view bytes, std::size_t skipped) {
  std::size_t offset = 0;
  while (offset < bytes.size()) {
    if (bytes[offset] == '\0')
      return broken(std::string(bytes.substr(0, offset)), nul_message(offset + skipped));
    const std::size_t length = utf8_length(bytes, offset);
    if (length == 0)
      return broken(std::string(bytes.substr(0, offset)),
                    "byte " + hexadecimal(byte_at(bytes, offset), 2) + " at byte offset " +
                        std::to_string(offset + skipped) + " is not valid UTF-8");
    offset += length;
  }
  return {.text = std::string(bytes), .problem = {}};
}

Decoded decode_bytes(std::string_view bytes, Encoding encoding) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t offset = 0; offset < bytes.size(); ++offset) {
    const unsigned byte = byte_at(bytes, offset);
    if (byte == 0)
      return broken(std::move(text), nul_message(offset));
    if (byte >= 0x80 && encoding == Encoding::kAscii)
      return broken(std::move(text), "byte " + hexadecimal(byte, 2) + " at byte offset " +
                                         std::to_string(offset) + " is not US-ASCII");
    const bool mapped = encoding == Encoding::kWindows1252 && byte >= 0x80 && byte < 0xA0;
    append_utf8(text, mapped ? kWindows1252High[byte - 0x80] : char32_t{byte});
  }
  return {.text = std::move(text), .problem = {}};
}

bool is_high_surrogate(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }

bool is_low_surrogate(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

Decoded decode_utf16(std::string_view bytes, Encoding encoding, std::size_t skipped) {
  const std::size_t low = encoding == Encoding::kUtf16Little ? 0 : 1;
  const auto unit_at = [&](std::size_t offset) {
    return byte_at(bytes, offset + low) | byte_at(bytes, offset + 1 - low) << 8U;
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  std::size_t offset = 0;
  for (; offset + 1 < bytes.size(); offset += 2) {
    const unsigned unit = unit_at(offset);
    if (unit == 0)
      return broken(std::move(text), nul_message(offset + skipped));
    if (is_high_surrogate(unit) && offset + 3 < bytes.size() &&
        is_low_surrogate(unit_at(offset + 2))) {
      offset += 2;
      append_utf8(text, 0x10000 + ((unit - 0xD800) << 10U) + (unit_at(offset) - 0xDC00));
      continue;
    }
    if (is_high_surrogate(unit) || is_low_surrogate(unit))
      return broken(std::move(text), "unit " + hexadecimal(unit, 4) + " at byte offset " +
                                         std::to_string(offset + skipped) + " is not valid UTF-16");
    append_utf8(text, unit);
  }
  if (offset < bytes.size())
    return broken(std::move(text), "the UTF-16 text ends in the middle of a character");
  return {.text = std::move(text), .problem = {}};
}

// What is no name at all is left to the XML parser, which sees the whole of a broken declaration.
bool is_name_like(std::string_view value) {
  constexpr std::size_t kLongest = 40;
  return value.size() <= kLongest &&
         std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
}

// The value of encoding="…" in the XML declaration, as a range of the bytes.
std::optional<SourceRange> declared_encoding(std::string_view bytes) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::size_t kLongest = 1024;  // an XML declaration is never longer
  const std::size_t begin = bytes.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos || !bytes.substr(begin).starts_with("<?xml"))
    return std::nullopt;
  const std::string_view head = bytes.substr(0, std::min(bytes.size(), begin + kLongest));
  const std::string_view declaration = head.substr(0, head.find("?>", begin));
  std::size_t at = declaration.find("encoding", begin);
  if (at == std::string_view::npos)
    return std::nullopt;
  at = declaration.find_first_not_of(kBlanks, at + std::string_view("encoding").size());
  if (at == std::string_view::npos || declaration[at] != '=')
    return std::nullopt;
  at = declaration.find_first_not_of(kBlanks, at + 1);
  if (at == std::string_view::npos || (declaration[at] != '"' && declaration[at] != '\''))
    return std::nullopt;
  const std::size_t end = declaration.find(declaration[at], at + 1);
  if (end == std::string_view::npos || !is_name_like(declaration.substr(at + 1, end - at - 1)))
    return std::nullopt;
  return SourceRange{.begin = static_cast<std::uint32_t>(at + 1),
                     .end = static_cast<std::uint32_t>(end)};
}

std::optional<Encoding> encoding_named(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  const auto* found = std::ranges::find(kEncodingNames, lower, &EncodingName::name);
  if (found == kEncodingNames.end())
    return std::nullopt;
  return found->encoding;
}

// Encodings that show in the first bytes: byte-order marks (skipped), or "<?" in 16 bits.
struct Mark {
  Encoding encoding = Encoding::kUtf8;
  std::size_t skipped = 0;
};

std::optional<Mark> mark_of(std::string_view bytes, ModelFormat format) {
  using std::string_view_literals::operator""sv;
  if (bytes.starts_with("\xEF\xBB\xBF"sv))
    return Mark{.encoding = Encoding::kUtf8, .skipped = 3};
  if (bytes.starts_with("\xFF\xFE"sv))
    return Mark{.encoding = Encoding::kUtf16Little, .skipped = 2};
  if (bytes.starts_with("\xFE\xFF"sv))
    return Mark{.encoding = Encoding::kUtf16Big, .skipped = 2};
  if (format == ModelFormat::kXml && bytes.starts_with("<\0?\0"sv))
    return Mark{.encoding = Encoding::kUtf16Little};
  if (format == ModelFormat::kXml && bytes.starts_with("\0<\0?"sv))
    return Mark{.encoding = Encoding::kUtf16Big};
  return std::nullopt;
}

Decoded decode_marked(std::string_view bytes, Mark mark) {
  const std::string_view rest = bytes.substr(mark.skipped);
  return mark.encoding == Encoding::kUtf8 ? check_utf8(rest, mark.skipped)
                                          : decode_utf16(rest, mark.encoding, mark.skipped);
}

// Readable byte by byte up to the declaration, so a declared UTF-16 cannot be true.
Decoded decode_declared(std::string_view bytes, SourceRange where, Diagnostics& diagnostics) {
  const std::string name(bytes.substr(where.begin, where.end - where.begin));
  const std::optional<Encoding> encoding = encoding_named(name);
  if (!encoding) {
    Decoded decoded = check_utf8(bytes, 0);
    if (decoded.text.size() < where.end)
      return decoded;  // an unreadable byte in front of the name comes first
    decoded.problem = {};
    diagnostics.error(where, "unknown encoding '" + name + "'",
                      "save the file as UTF-8; utf-8, utf-16, iso-8859-1, windows-1252 and "
                      "us-ascii can be read");
    return decoded;
  }
  switch (*encoding) {
    case Encoding::kUtf16:
    case Encoding::kUtf16Little:
    case Encoding::kUtf16Big: {
      Decoded decoded = check_utf8(bytes, 0);
      if (decoded.text.size() >= where.end)  // else the place of the name was not read
        diagnostics.warning(where,
                            "the file declares '" + name + "' but is not, reading it as UTF-8",
                            "declare encoding=\"utf-8\"");
      return decoded;
    }
    case Encoding::kLatin1:
    case Encoding::kWindows1252:
    case Encoding::kAscii:
      return decode_bytes(bytes, *encoding);
    case Encoding::kUtf8:
      return check_utf8(bytes, 0);
  }
  return {};
}

Decoded decode(std::string_view bytes, ModelFormat format, Diagnostics& diagnostics) {
  if (const std::optional<Mark> mark = mark_of(bytes, format))
    return decode_marked(bytes, *mark);
  if (format == ModelFormat::kXml)
    if (const std::optional<SourceRange> where = declared_encoding(bytes))
      return decode_declared(bytes, *where, diagnostics);
  return check_utf8(bytes, 0);
}

}  // namespace

void append_utf8(std::string& text, char32_t character) {
  assert(character <= 0x10FFFF && (character < 0xD800 || character > 0xDFFF) &&
         "only scalar values have an encoding");
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80U | ((character >> shift) & 0x3FU));
  };
  if (character < 0x80) {
    text += static_cast<char>(character);
    return;
  }
  if (character < 0x800) {
    text += static_cast<char>(0xC0U | (character >> 6U));
    tail(0);
    return;
  }
  if (character < 0x10000) {
    text += static_cast<char>(0xE0U | (character >> 12U));
  } else {
    text += static_cast<char>(0xF0U | (character >> 18U));
    tail(12);
  }
  tail(6);
  tail(0);
}

std::string decode_model(std::string_view bytes, ModelFormat format, Diagnostics& diagnostics) {
  Decoded decoded = decode(bytes, format, diagnostics);
  if (!decoded.problem.message.empty()) {
    const auto begin = static_cast<std::uint32_t>(decoded.problem.offset);
    const auto width = static_cast<std::uint32_t>(decoded.text.size()) - begin;
    diagnostics.error({.begin = begin, .end = begin + width}, std::move(decoded.problem.message),
                      std::string(format == ModelFormat::kXml ? kHint : kTextHint));
  }
  return std::move(decoded.text);
}

}  // namespace tw::uppaal
