// Declarations of variables, types, functions, instances and channel priorities (docs/uppaal.md 4
// and 7). Without a symbol table two words decide: `T x` declares, `P =` and `P (` instantiate.

#include <utility>

#include "frontends/uppaal/parser_impl.hpp"

namespace tw::uppaal {

/// At a declaration that may also stand in a block.
bool TextParser::at_declaration() const {
  if (at(TokenKind::kTypedef) || at_type())
    return true;
  if (!at(TokenKind::kName) || !next_is(TokenKind::kName))
    return false;
  // `assert x;`, `a xor b;`, `spawn T(…);` and a foreign `case X:` are two names in a row, too.
  return !at_assert() && !at_word("case") && peek(1).text != "xor" &&
         !(at_word("spawn") && peek(2).kind == TokenKind::kLeftParen);
}

void TextParser::declaration(Section section, std::vector<ast::Declaration>& declarations) {
  if (section != Section::kTemplate) {
    if (std::optional<ast::Declaration> special = special_declaration()) {
      if (!panic_)
        declarations.push_back(std::move(*special));
      return;
    }
  }
  if (at(TokenKind::kTypedef)) {
    ast::Declaration declaration;
    declaration.types = type_declaration();
    if (!panic_)
      declarations.push_back(std::move(declaration));
  } else if (at_type() || (at(TokenKind::kName) && next_is(TokenKind::kName))) {
    variables_or_function(declarations);
  } else {
    fail_declaration(section);
  }
}

/// What may be declared in the model but not in a template.
std::optional<ast::Declaration> TextParser::special_declaration() {
  ast::Declaration declaration;
  if (at(TokenKind::kProcess)) {
    declaration.process = process();
  } else if (at(TokenKind::kChan) && peek(1).text == "priority" &&
             (peek(2).kind == TokenKind::kName || peek(2).kind == TokenKind::kDefault)) {
    declaration.channel_priority = channel_priority();
  } else if ((at_word("before_update") || at_word("after_update")) &&
             next_is(TokenKind::kLeftBrace)) {
    declaration.hook = update_hook();
  } else if (at(TokenKind::kName) &&
             (next_is(TokenKind::kAssign) || next_is(TokenKind::kColonAssign) ||
              next_is(TokenKind::kLeftParen))) {
    declaration.instantiation = instantiation();
  } else if ((at_word("import") && next_is(TokenKind::kString)) ||
             (at_word("IO") && next_is(TokenKind::kName) &&
              peek(2).kind == TokenKind::kLeftBrace)) {
    declaration.unsupported = skip_unsupported();
  } else {
    return std::nullopt;
  }
  return declaration;
}

/// `import "x" {…};` and `IO P {…}`: the braces are skipped unread.
ast::Unsupported TextParser::skip_unsupported() {
  const std::uint32_t begin = current().where.begin;
  ast::Unsupported unsupported;
  unsupported.what = current().text;
  advance();
  advance();
  skip_braces();
  accept(TokenKind::kSemicolon);
  unsupported.where = since(begin);
  return unsupported;
}

/// Passes a group in braces without reading it.
void TextParser::skip_braces() {
  if (!at(TokenKind::kLeftBrace)) {
    expect(TokenKind::kLeftBrace, "here");
    return;
  }
  const std::size_t open = pos_;
  pos_ = matching(pos_);
  expect_close(open, "at the end of the block");
}

void TextParser::variables_or_function(std::vector<ast::Declaration>& declarations) {
  const std::uint32_t begin = current().where.begin;
  if (old_ && at(TokenKind::kConst)) {
    old_constants(declarations);
    return;
  }
  if (at_word("enum") && peek(2).kind == TokenKind::kLeftBrace) {
    fail(current(), "'enum' is not part of the language",
         "declare a type 'typedef int[0,2] T;' and constants");
    return;
  }
  const ast::TypeId result = type();
  ast::Declaration declaration;
  if (old_ || !at(TokenKind::kName) || !next_is(TokenKind::kLeftParen)) {
    declaration.variables = variables(result, begin);
  } else {
    ast::Function function;
    function.result = result;
    function.name = expect_name("the name of the function");
    function.parameters = parenthesised_parameters();
    // `dynamic T(…);` reads like a function without a body.
    if (at(TokenKind::kSemicolon) && document_.types[result].name.text == "dynamic") {
      advance();
      declaration.unsupported = ast::Unsupported{.what = "dynamic", .where = since(begin)};
    } else if (!at(TokenKind::kLeftBrace)) {
      expect(TokenKind::kLeftBrace, "before the body of the function");
    } else {
      function.body = block();
      declaration.function = std::move(function);
    }
  }
  if (!panic_)
    declarations.push_back(std::move(declaration));
}

/// `const N 5, M[2] {1, 2};` of UPPAAL 3; a '=' between name and value does not hurt.
void TextParser::old_constants(std::vector<ast::Declaration>& declarations) {
  const std::uint32_t begin = current().where.begin;
  ast::VariableDeclaration constants;
  constants.type = old_constant_type();
  do {
    ast::Declarator declarator = this->declarator("the name of a constant");
    if (!accept(TokenKind::kAssign))
      accept(TokenKind::kColonAssign);
    declarator.initialiser = initialiser();
    constants.declarators.push_back(std::move(declarator));
  } while (accept(TokenKind::kComma));
  expect_semicolon("after the declaration");
  constants.where = since(begin);
  if (panic_)
    return;
  ast::Declaration declaration;
  declaration.variables = std::move(constants);
  declarations.push_back(std::move(declaration));
}

/// The declarators behind a type, up to the ';'.
ast::VariableDeclaration TextParser::variables(ast::TypeId type, std::uint32_t begin) {
  ast::VariableDeclaration variables;
  variables.type = type;
  do {
    ast::Declarator declarator = this->declarator("the name of a variable");
    if (accept(TokenKind::kAssign) || accept(TokenKind::kColonAssign))
      declarator.initialiser = initialiser();
    variables.declarators.push_back(std::move(declarator));
  } while (accept(TokenKind::kComma));
  const bool function = at(TokenKind::kLeftParen);
  expect_semicolon("after the declaration", function ? "a function cannot be declared here" : "");
  variables.where = since(begin);
  return variables;
}

ast::TypeDeclaration TextParser::type_declaration() {
  const std::uint32_t begin = current().where.begin;
  advance();
  ast::TypeDeclaration types;
  types.type = type();
  do
    types.declarators.push_back(declarator("the name of the new type"));
  while (accept(TokenKind::kComma));
  expect_semicolon("after the type declaration");
  types.where = since(begin);
  return types;
}

ast::Instantiation TextParser::instantiation() {
  const std::uint32_t begin = current().where.begin;
  ast::Instantiation instance;
  instance.name = expect_name("the name of the process");
  if (at(TokenKind::kLeftParen)) {
    const std::size_t mistake = last_mistake_;
    instance.has_parameter_list = true;
    instance.parameters = parenthesised_parameters();
    // A call reads like an instance with a broken parameter list; one message is enough.
    const bool instantiates = at(TokenKind::kAssign) || at(TokenKind::kColonAssign);
    panic_ = panic_ || (mistake != last_mistake_ && !instantiates);
  }
  if (!accept(TokenKind::kColonAssign))
    expect(TokenKind::kAssign, "and a template after the name of a process",
           "an instance is 'P = T(...);'; a function needs a type in front");
  instance.target = expect_name("the name of a template");
  expect(TokenKind::kLeftParen, "after the template name",
         "write 'P = T();' even if there are no arguments");
  if (!at(TokenKind::kRightParen))
    instance.arguments = updates();
  expect(TokenKind::kRightParen, "after the arguments");
  expect_semicolon("after the instantiation");
  instance.where = since(begin);
  return instance;
}

ast::ChannelPriority TextParser::channel_priority() {
  const std::uint32_t begin = current().where.begin;
  advance();
  advance();
  ast::ChannelPriority priority;
  do {
    priority.groups.emplace_back();
    do {
      // A channel binds stronger than '<', which separates the groups.
      const bool is_default = accept(TokenKind::kDefault);
      priority.groups.back().push_back(is_default ? ast::ExprId() : expression(Level::kUnary));
    } while (accept(TokenKind::kComma));
  } while (accept(TokenKind::kLess));
  expect_semicolon("after the channel priorities");
  priority.where = since(begin);
  return priority;
}

ast::UpdateHook TextParser::update_hook() {
  const std::uint32_t begin = current().where.begin;
  ast::UpdateHook hook;
  hook.after = at_word("after_update");
  advance();
  advance();
  if (!at(TokenKind::kRightBrace))
    hook.updates = updates();
  expect(TokenKind::kRightBrace, "after the updates",
         at(TokenKind::kSemicolon) ? "separate updates by ',' and leave the last ';' out" : "");
  hook.where = since(begin);
  return hook;
}

void TextParser::fail_declaration(Section section) {
  const bool in_template = section == Section::kTemplate;
  if (in_template && (at(TokenKind::kProcess) ||
                      (at(TokenKind::kName) &&
                       (next_is(TokenKind::kAssign) || next_is(TokenKind::kLeftParen) ||
                        next_is(TokenKind::kColonAssign) || next_is(TokenKind::kLeftBrace)))))
    fail_expected("a variable, a type or a function",
                  "nothing else can be declared inside a template");
  else if (at(TokenKind::kName) && next_is(TokenKind::kLeftBracket))
    fail_misplaced("a declaration", "the size of an array stands behind its name: 'T x[3];'");
  else
    fail_misplaced("a declaration",
                   meant("process system typedef const int bool chan clock urgent broadcast void "
                         "scalar struct meta state init trans commit"));
}

}  // namespace tw::uppaal
