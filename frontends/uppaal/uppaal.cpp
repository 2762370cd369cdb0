// The UPPAAL front end from end to end: bytes, text, syntax tree, checked network.

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "frontends/load.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/checker.hpp"
#include "frontends/uppaal/encoding.hpp"
#include "frontends/uppaal/parser.hpp"
#include "frontends/uppaal/source_text.hpp"
#include "frontends/uppaal/xml_reader.hpp"

namespace tw {
namespace {

// Growing the pool step by step would copy it several times; a node takes at least a few bytes of
// text.
void reserve(uppaal::ast::Document& document, const SourceFile& file) {
  constexpr std::size_t kBytesPerExpression = 8;
  constexpr std::size_t kMost = 1'000'000;
  document.exprs.reserve(std::min(file.text.size() / kBytesPerExpression, kMost));
}

uppaal::SourceText whole_text(const SourceFile& file) {
  uppaal::SourceText text;
  text.append(file.text, 0);
  text.set_where({.begin = 0, .end = static_cast<std::uint32_t>(file.text.size())});
  return text;
}

// Without blanks around it, and on one line.
std::string trimmed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out;
}

// "R1" of a comment "R1: the door stays shut"; empty if it does not begin so.
std::string name_in_comment(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t\r\n"), comment.size()));
  const std::size_t colon = comment.find(':');
  const std::string_view word = comment.substr(0, colon);
  const bool fits = colon != std::string_view::npos && !word.empty() &&
                    word.find_first_not_of(
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                        "0123456789_.-") == std::string_view::npos;
  return fits ? std::string(word) : "";
}

// The second of a name gets a number.
std::string unique_name(std::string name, std::set<std::string>& taken) {
  std::string out = name;
  for (std::size_t i = 2; !taken.insert(out).second; ++i)
    out = name + "." + std::to_string(i);
  return out;
}

// A query that is no property, or a wrong one, keeps no model from loading. What is wrong with its
// words is said at once; what it says about the model, by those who want to know.
void read_queries(uppaal::ast::Document& document,
                  uppaal::Checker& checker,
                  NetworkBuilder& builder,
                  Diagnostics& diagnostics) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < document.queries.size(); ++i) {
    const uppaal::ast::Query& query = document.queries[i];
    std::string name = name_in_comment(query.comment);
    if (name.empty())
      name = "Q" + std::to_string(i + 1);
    name = unique_name(std::move(name), names);
    const uppaal::QueryForm form = uppaal::form_of_query(query.formula);
    if (form == uppaal::QueryForm::kUnknown)
      diagnostics.warning(query.where, "this query is not read: it begins like none",
                          "write 'E<> condition' or 'A[] condition'");
    if (form != uppaal::QueryForm::kState)
      continue;
    Diagnostics problems;
    const uppaal::ast::LtlId formula = uppaal::Parser(document, problems).query(query.text);
    if (problems.has_errors()) {
      const Diagnostic& problem = problems.all().front();
      diagnostics.warning(problem.where, "this query is not read: " + problem.message,
                          problem.hint);
      continue;
    }
    Query& out = builder.query(i);
    out.property = checker.property(formula, query.text, problems);
    if (out.property) {
      out.property->name = std::move(name);
      out.property->text = trimmed(query.formula);
      out.property->where = query.where;
    } else {
      out.problems = problems.all();
    }
  }
}

void read_properties(PropertyText& given,
                     uppaal::ast::Document& document,
                     uppaal::Checker& checker,
                     NetworkBuilder& builder) {
  Diagnostics& diagnostics = given.diagnostics;
  given.file.text = uppaal::decode_model(given.file.text, uppaal::ModelFormat::kText, diagnostics);
  if (diagnostics.has_errors())
    return;
  const uppaal::SourceText text = whole_text(given.file);
  uppaal::Parser parser(document, diagnostics);
  std::vector<uppaal::ast::Requirement> read;
  if (!given.is_condition)
    read = parser.requirements(text);
  else if (const uppaal::ast::LtlId condition = parser.condition(text); condition.valid())
    read.push_back({.name = {}, .formula = condition, .where = text.where()});
  std::set<std::string> names;
  for (const uppaal::ast::Requirement& one : read)
    if (!one.name.text.empty() && !names.insert(one.name.text).second)
      diagnostics.error(one.name.where, "two requirements are called '" + one.name.text + "'",
                        "give each a name of its own");
  for (std::size_t i = 0; i < read.size(); ++i) {
    const uppaal::ast::Requirement& one = read[i];
    Diagnostics problems;
    std::optional<Property> property = checker.property(one.formula, text, problems);
    for (const Diagnostic& d : problems.all())
      if (d.severity == Severity::kError)
        diagnostics.error(d.where, d.message, d.hint);
      else
        diagnostics.warning(d.where, d.message, d.hint);
    if (!property)
      continue;
    const SourcePosition at = position_of(given.file, one.where.begin);
    property->name =
        one.name.text.empty() ? unique_name("P" + std::to_string(i + 1), names) : one.name.text;
    property->text = trimmed(text.at(one.where));
    property->place =
        given.file.path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    property->is_condition = given.is_condition;
    builder.add_property(std::move(*property));
  }
}

std::optional<Network> check_and_freeze(uppaal::ast::Document& document,
                                        const SourceFile& file,
                                        Diagnostics& diagnostics,
                                        std::span<PropertyText> properties) {
  NetworkBuilder builder;
  uppaal::Checker checker(document, file, builder, diagnostics);
  checker.run();
  if (diagnostics.has_errors())
    return std::nullopt;
  std::optional<Network> network = builder.freeze(diagnostics);
  if (!network)
    return std::nullopt;
  builder.resume(std::move(*network));
  read_queries(document, checker, builder, diagnostics);
  for (PropertyText& given : properties)
    read_properties(given, document, checker, builder);
  return builder.release();
}

struct Reading {
  Diagnostics diagnostics;
  bool has_syntax_error = false;
  std::optional<Network> network;
};

Reading read_model(SourceFile& file,
                   uppaal::ModelFormat format,
                   uppaal::ast::Dialect dialect,
                   std::span<PropertyText> properties) {
  Reading out;
  uppaal::ast::Document document;
  document.dialect = dialect;
  reserve(document, file);
  const uppaal::SourceText text =
      format == uppaal::ModelFormat::kText ? whole_text(file) : uppaal::SourceText();
  if (format == uppaal::ModelFormat::kXml) {
    uppaal::read_xml(file, document, out.diagnostics);
  } else {
    document.where = text.where();
    uppaal::Parser(document, out.diagnostics).text_model(text);
  }
  out.has_syntax_error = out.diagnostics.has_errors();
  out.network = check_and_freeze(document, file, out.diagnostics, properties);
  return out;
}

void append(const Diagnostics& from, Diagnostics& to) {
  std::size_t errors = from.errors();
  std::size_t warnings = from.warnings();
  for (const Diagnostic& d : from.all())
    if (d.severity == Severity::kError) {
      to.error(d.where, d.message, d.hint);
      --errors;
    } else {
      to.warning(d.where, d.message, d.hint);
      --warnings;
    }
  // What was only counted is counted on.
  for (; errors > 0; --errors)
    to.error({}, {});
  for (; warnings > 0; --warnings)
    to.warning({}, {});
}

void warn_old(const Diagnostics& today, Diagnostics& diagnostics) {
  const auto first = std::ranges::find(today.all(), Severity::kError, &Diagnostic::severity);
  diagnostics.warning(first->where,
                      "the model is read in the language of UPPAAL 3: today, " + first->message,
                      "--old-syntax says that this is meant");
}

// Text that is no text of today may be a model of UPPAAL 3. It is, if it then has no error at all.
// A forgotten '&' alone is an error in every version's words, so only the syntax decides.
std::optional<Network> load_uppaal(SourceFile& file,
                                   uppaal::ModelFormat format,
                                   Diagnostics& diagnostics,
                                   const LoadOptions& options,
                                   std::span<PropertyText> properties) {
  using uppaal::ast::Dialect;
  file.text = uppaal::decode_model(file.text, format, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  Reading read = read_model(file, format, options.old_syntax ? Dialect::kUppaal3 : Dialect::kToday,
                            properties);
  if (!read.network && !options.old_syntax && read.has_syntax_error) {
    Reading old = read_model(file, format, Dialect::kUppaal3, properties);
    if (old.network) {
      warn_old(read.diagnostics, old.diagnostics);
      read = std::move(old);
    }
  }
  append(read.diagnostics, diagnostics);
  return std::move(read.network);
}

}  // namespace

std::optional<Network> load_uppaal_xml(SourceFile& file,
                                       Diagnostics& diagnostics,
                                       const LoadOptions& options,
                                       std::span<PropertyText> properties) {
  return load_uppaal(file, uppaal::ModelFormat::kXml, diagnostics, options, properties);
}

std::optional<Network> load_uppaal_text(SourceFile& file,
                                        Diagnostics& diagnostics,
                                        const LoadOptions& options,
                                        std::span<PropertyText> properties) {
  return load_uppaal(file, uppaal::ModelFormat::kText, diagnostics, options, properties);
}

}  // namespace tw
