// The parser at work on one text; private to the parser*.cpp files, which split it by topic.
//
// Errors: the first mistake of a construct is reported and starts a panic. While it lasts the
// parser sees the end of the text everywhere, so every loop ends and every complaint is swallowed;
// whoever parses a list of declarations, statements or edges then calls a recover function, which
// ends the panic at the next place where parsing can go on. Thus no mistake is reported twice and
// no loop can run without progress.
//
// Depth: whatever recurses holds a Nesting. Left-deep chains (`a + b + …`, `a[0][1]…`) are built in
// a loop, so their height is added to the nesting when a node is made. Both together bound the
// depth of the tree, and with it the stack that later stages need. Functions on the recursive paths
// keep their frames small: they hold no strings and no nodes while they recurse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "frontends/uppaal/ast.hpp"
#include "frontends/uppaal/lexer.hpp"
#include "frontends/uppaal/parser.hpp"
#include "frontends/uppaal/source_text.hpp"

namespace tw::uppaal {

/// Binding strength of operators, weakest first (docs/uppaal.md 5.1).
enum class Level : std::uint8_t {
  kAssignment,
  kConditional,
  kOr,  // || or xor imply: one level
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kComparison,
  kMinMax,
  kShift,
  kSum,
  kProduct,
  kPower,
  kUnary,
};

/// Where a list of declarations stands and hence what it may hold.
enum class Section : std::uint8_t {
  kGlobal,         // <declaration> of the model
  kTemplate,       // <declaration> of a template, or the head of a process body
  kInstantiation,  // <instantiation>
  kSystem,         // <system>
  kTextModel,      // a whole text file
};

/// What a panic breaks off and hence where parsing can go on.
enum class Construct : std::uint8_t {
  kDeclaration,
  kProcessPart,
  kEdgePart,
  kStatement,
  kLocal,  // a declaration among statements
  kListItem,
};

class TextParser {
 public:
  /// All are borrowed and outlive the parser.
  TextParser(ast::Document& document,
             Diagnostics& diagnostics,
             const SourceText& text,
             ast::Dialect dialect);
  TextParser(ast::Document& document, Diagnostics& diagnostics, const SourceText& text)
      : TextParser(document, diagnostics, text, document.dialect) {}

  /// No token at all, as in a label that holds only a comment.
  [[nodiscard]] bool at_end() const { return at(TokenKind::kEnd); }

  [[nodiscard]] bool failed() const { return panic_; }

  /// After a mistake: whatever the text would have declared is missing.
  void note_all_lost() {
    if (panic_)
      note_lost(0, tokens_.size());
  }

  /// An error unless the text ends here.
  void expect_end(const char* context, const char* hint = "");

  void model(Section section, std::vector<ast::Declaration>& declarations);
  ast::ExprId constraint();
  std::vector<ast::ExprId> updates();
  std::vector<ast::Select> selects();
  std::vector<ast::Parameter> parameter_list();
  std::optional<ast::Sync> sync();
  Parser::Rate rate();
  ast::LtlId query_formula();
  ast::LtlId state_condition();
  std::vector<ast::Requirement> requirements();

 private:
  /// Counts one level of recursion for as long as it lives.
  class Nesting {
   public:
    explicit Nesting(TextParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting)
        parser_.stop_too_deep();
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --parser_.nesting_; }

   private:
    TextParser& parser_;
  };

  // Tokens (parser.cpp). Plain literals, because a view costs the frame of the caller 64 bytes in
  // an instrumented build, and these are called on every recursive path.
  [[nodiscard]] const Token& current() const { return panic_ ? tokens_.back() : tokens_[pos_]; }
  [[nodiscard]] const Token& peek(std::size_t distance) const;
  [[nodiscard]] bool at_end_of_tokens() const { return pos_ + 1 == tokens_.size(); }
  [[nodiscard]] const Token& previous() const { return tokens_[pos_ == 0 ? 0 : pos_ - 1]; }
  [[nodiscard]] bool at(TokenKind kind) const { return current().kind == kind; }
  [[nodiscard]] bool at_word(const char* word) const;
  [[nodiscard]] bool next_is(TokenKind kind) const { return peek(1).kind == kind; }
  [[nodiscard]] SourceRange since(std::uint32_t begin) const;
  void advance();
  bool accept(TokenKind kind);
  bool expect(TokenKind kind, const char* context, const char* hint = "");
  void expect_semicolon(const char* context, const char* hint = "");
  bool expect_close(std::size_t open, const char* context);
  [[nodiscard]] bool begins_anew() const;
  ast::Name expect_name(std::string_view what);
  ast::Name expect_location(std::string_view what);
  ast::Name expect_member();

  // Errors (parser_recovery.cpp).
  void fail(const Token& token, std::string message, std::string hint = {});
  void fail_expected(std::string_view expected, std::string_view hint = {});
  void fail_misplaced(std::string_view expected, std::string_view hint = {});
  [[nodiscard]] std::string meant(std::string_view words) const;
  void report(SourceRange where, std::string message, std::string hint = {});
  void stop_too_deep();
  void settle(Construct construct, std::size_t start);
  void note_lost(std::size_t from, std::size_t to);
  void recover(Construct construct, std::size_t start);
  void recover_parentheses(std::size_t open);
  [[nodiscard]] std::size_t matching(std::size_t open) const;
  [[nodiscard]] bool resumes_after_brace(std::size_t index) const;

  // Requirements (parser_properties.cpp).
  ast::LtlId ltl();
  ast::LtlId ltl_implication();
  ast::LtlId ltl_disjunction();
  ast::LtlId ltl_conjunction();
  ast::LtlId ltl_until();
  ast::LtlId ltl_unary();
  ast::LtlId ltl_quantifier();
  ast::LtlId ltl_expression();
  ast::LtlId make_ltl(ast::LtlKind kind, std::uint32_t begin, ast::LtlId left, ast::LtlId right);
  [[nodiscard]] std::optional<ast::LtlKind> temporal_prefix(std::size_t& length) const;
  [[nodiscard]] std::optional<ast::LtlKind> temporal_infix() const;
  [[nodiscard]] bool at_equivalence() const;
  [[nodiscard]] bool can_begin_formula(std::size_t distance) const;
  [[nodiscard]] bool is_expression_in_parentheses(std::size_t open) const;

  // Expressions (parser_expressions.cpp, parser_primaries.cpp).
  ast::ExprId expression(Level weakest = Level::kAssignment);
  ast::ExprId infix_step(ast::ExprId left, std::uint32_t begin, Level weakest);
  ast::ExprId conditional_tail(ast::ExprId condition, std::uint32_t begin, SourceRange op_where);
  ast::ExprId unary();
  ast::ExprId postfix();
  ast::ExprId postfix_step(ast::ExprId left, std::uint32_t begin);
  ast::ExprId call_tail(ast::ExprId callee, std::uint32_t begin);
  ast::ExprId index_tail(ast::ExprId array, std::uint32_t begin);
  ast::ExprId field_tail(ast::ExprId object, std::uint32_t begin);
  ast::ExprId primary();
  ast::ExprId parenthesised();
  [[nodiscard]] bool at_binder(const char* word) const;
  ast::ExprId quantifier(ast::ExprKind kind, ast::Op op);
  ast::ExprId spawn();
  ast::ExprId leaf(ast::ExprKind kind);
  ast::ExprId number();
  ast::ExprId fail_primary();
  void fail_old_comparison(SourceRange where);
  [[nodiscard]] bool at_old_comparison() const;
  ast::ExprId expression_list();
  ast::ExprId initialiser();
  ast::ExprId initialiser_list();

  struct Node {
    ast::ExprKind kind = ast::ExprKind::kNumber;
    ast::Op op = ast::Op::kNone;
    SourceRange op_where = {};
    std::uint32_t begin = 0;  // file offset where the expression begins; it ends at the last token
  };
  using ArgList = SmallVector<ast::ExprId, 3>;
  ast::ExprId make(const Node& node, ArgList args);
  ast::ExprId make(ast::Expr expr);

  // Types and declarations (parser_types.cpp, parser_declarations.cpp).
  [[nodiscard]] bool at_type() const;
  [[nodiscard]] bool at_declaration() const;
  ast::TypeId type();
  void type_prefix(ast::TypeId id);
  void base_type(ast::TypeId id);
  void named_type(ast::TypeId id);
  void int_range(ast::TypeId id);
  void scalar_size(ast::TypeId id);
  void struct_fields(ast::TypeId id);
  void field(ast::TypeId id, ast::TypeId field_type);
  ast::TypeId push_type();
  void fail_clock();
  void fail_untyped_constant();
  void dimension(ast::Declarator& declarator);
  void warn_reserved(const ast::Name& name);
  ast::Declarator declarator(std::string_view context);
  std::vector<ast::Parameter> parenthesised_parameters();
  void parameter(std::vector<ast::Parameter>& parameters);
  std::vector<ast::Parameter> old_parameter_list();
  ast::TypeId old_constant_type();
  void old_constants(std::vector<ast::Declaration>& declarations);
  void declaration(Section section, std::vector<ast::Declaration>& declarations);
  std::optional<ast::Declaration> special_declaration();
  ast::Unsupported skip_unsupported();
  void skip_braces();
  void variables_or_function(std::vector<ast::Declaration>& declarations);
  ast::VariableDeclaration variables(ast::TypeId type, std::uint32_t begin);
  ast::TypeDeclaration type_declaration();
  ast::Instantiation instantiation();
  ast::ChannelPriority channel_priority();
  ast::UpdateHook update_hook();
  void fail_declaration(Section section);

  // Statements (parser_statements.cpp).
  ast::StmtId statement();
  ast::StmtId block();
  ast::StmtId push_block();
  void local_declaration(ast::StmtId block);
  [[nodiscard]] bool at_outer_word() const;
  void report_late_declaration(SourceRange where);
  ast::StmtId if_statement();
  ast::StmtId for_statement();
  ast::StmtId for_each(std::uint32_t begin);
  ast::StmtId while_statement();
  ast::StmtId do_statement();
  ast::StmtId return_statement();
  ast::StmtId simple_statement();
  struct StmtParts {
    ast::StmtKind kind = ast::StmtKind::kEmpty;
    std::vector<ast::ExprId> exprs = {};
    std::vector<ast::StmtId> body = {};
  };
  ast::StmtId make(StmtParts parts, std::uint32_t begin);
  ast::ExprId condition(const char* context);
  ast::ExprId loop_part();
  [[nodiscard]] bool at_assert() const;
  bool fail_foreign_statement();

  // Processes (parser_process.cpp, parser_edges.cpp).
  struct Body;
  ast::Template process();
  void process_part(Body& body);
  bool state_section(Body& body);
  void state(ast::Template& process);
  void state_content(ast::Location& location);
  void branchpoints(ast::Template& process);
  std::vector<ast::Name> name_list(std::string_view what);
  void finish_process(Body& body);
  void mark_locations(Body& body);
  void transitions(ast::Template& process);
  void edge(ast::Template& process, ast::Name& source);
  void edge_part(ast::Edge& edge);
  void edge_sync(ast::Edge& edge);
  void expect_first(const Token& word, bool first);
  std::optional<ast::Sync> sync_until(std::size_t end);

  // The parts of a model (parser_model.cpp).
  bool model_part(Section section);
  void system_line(Section section);
  void progress();
  void gantt();
  void gantt_entry();
  void query();

  ast::Document& document_;
  Diagnostics& diagnostics_;
  const SourceText& text_;
  const bool old_;             // the language of UPPAAL 3
  std::vector<Token> tokens_;  // never empty: ends with kEnd
  std::size_t pos_ = 0;
  bool panic_ = false;
  std::size_t last_mistake_ = std::string_view::npos;  // token at which the last panic began
  bool stopped_ = false;                               // too deep: the panic is final
  bool unsettled_ = false;  // nothing was read without a mistake since the last panic
  bool system_seen_ = false;
  bool in_property_ = false;  // may name locations after '.', keywords of the text format, too
  std::size_t nesting_ = 0;
  std::size_t negated_ = std::string_view::npos;  // token right behind the last unary minus
  std::size_t first_expr_ = 0;                    // where this text's nodes begin in the pool
  std::vector<std::uint16_t> heights_;            // of this text's nodes
};

}  // namespace tw::uppaal
