// Recursive descent over tokens, building the syntax tree (docs/uppaal.md 2 to 7). Each function
// parses one kind of text: the XML reader calls them per element, the text reader once. After a
// syntax error the parser goes on at the next ';' or '}', so one run shows all errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/source_text.hpp"

namespace tw::uppaal {

/// Deepest nesting of expressions, statements, types and initialisers that is read; deeper input
/// gets a message that names this limit. A chain `a + b + c …` of n operators nests n deep.
inline constexpr std::size_t kMaxNesting = 2000;

enum class QueryForm : std::uint8_t {
  kState,    // `E<> p` or `A[] p` about states: read
  kOther,    // deadlocks, `-->`, strategies, statistics …, or only a comment: kept as text
  kUnknown,  // nothing that UPPAAL reads
};

/// Told by how the query begins.
[[nodiscard]] QueryForm form_of_query(std::string_view query);

class Parser {
 public:
  /// Both are borrowed and outlive the parser.
  Parser(ast::Document& document, Diagnostics& diagnostics)
      : document_(document),
        diagnostics_(diagnostics) {}

  /// <declaration> of the model: everything that may stand before the system line.
  void global_declarations(const SourceText& text);

  /// <declaration> of a template.
  [[nodiscard]] std::vector<ast::Declaration> template_declarations(const SourceText& text);

  /// <instantiation> (system line not allowed) and <system>: declarations, system line, progress,
  /// gantt.
  void instantiation_section(const SourceText& text);
  void system_section(const SourceText& text);

  /// A whole XTA or TA file.
  void text_model(const SourceText& text);

  [[nodiscard]] std::vector<ast::Parameter> parameters(const SourceText& text);
  [[nodiscard]] ast::ExprId expression(const SourceText& text);  // invalid on error
  [[nodiscard]] std::vector<ast::ExprId> updates(const SourceText& text);
  [[nodiscard]] std::vector<ast::Select> selects(const SourceText& text);
  [[nodiscard]] std::optional<ast::Sync> sync(const SourceText& text);

  /// `e` or `e : e`.
  struct Rate {
    ast::ExprId rate;
    ast::ExprId divisor;
  };
  [[nodiscard]] Rate rate(const SourceText& text);

  /// A query `E<> p` or `A[] p` as F p and G p; invalid on error. Pre: its form is kState.
  [[nodiscard]] ast::LtlId query(const SourceText& text);

  /// A file of requirements in temporal logic, each ending with ';'. What is in error is left out.
  [[nodiscard]] std::vector<ast::Requirement> requirements(const SourceText& text);

  /// A single condition on states; invalid on error.
  [[nodiscard]] ast::LtlId condition(const SourceText& text);

 private:
  ast::Document& document_;
  Diagnostics& diagnostics_;
};

}  // namespace tw::uppaal
