// A short way to say a model in a test: one template, a few variables, edges between two locations.
#pragma once

#include <string>
#include <vector>

#include "engine/model/builder.hpp"

namespace tw::test {

/// A builder with the words tests need most. Everything is global unless it says otherwise.
class Model : public NetworkBuilder {
 public:
  using NetworkBuilder::NetworkBuilder;

  VariableId global(std::string name, TypeId type, ExprId initial = {}) {
    return add_variable({.name = std::move(name), .type = type, .initialiser = initial});
  }

  VariableId constant_variable(std::string name, std::int32_t value) {
    const VariableId id = add_variable({.name = std::move(name),
                                        .type = network().types.int_type(),
                                        .storage = Storage::kConstant,
                                        .is_const = true,
                                        .initialiser = constant(value)});
    Diagnostics diagnostics;
    define(id, diagnostics);
    return id;
  }

  VariableId parameter(TemplateId owner, std::string name, TypeId type, bool by_reference = false) {
    return add_variable({.name = std::move(name),
                         .type = type,
                         .role = Role::kParameter,
                         .storage = by_reference ? Storage::kState : Storage::kConstant,
                         .by_reference = by_reference,
                         .is_const = !by_reference,
                         .prototype = true,
                         .owner_template = owner});
  }

  VariableId local(TemplateId owner, std::string name, TypeId type, ExprId initial = {}) {
    return add_variable({.name = std::move(name),
                         .type = type,
                         .role = Role::kLocal,
                         .prototype = true,
                         .owner_template = owner,
                         .initialiser = initial});
  }

  VariableId function_parameter(std::string name, TypeId type, bool by_reference = false) {
    return add_variable({.name = std::move(name),
                         .type = type,
                         .role = Role::kFunctionParameter,
                         .storage = Storage::kFrame,
                         .by_reference = by_reference});
  }

  LocationDeclId location(TemplateId owner, std::string name) {
    const LocationDeclId id = add_location(owner, {.name = std::move(name)});
    if (!network().templates[owner].initial.valid())
      set_initial(owner, id);
    return id;
  }

  EdgeDeclId edge(TemplateId owner,
                  LocationDeclId from,
                  LocationDeclId to,
                  EdgeLabels labels = {}) {
    return add_edge(owner, {.source = from, .target = to, .labels = std::move(labels)});
  }

  /// Lists a template in the system line.
  void list(TemplateId id) { add_system_entry({.instance = add_implicit_instance(id)}); }

  ExprId v(VariableId id) { return variable(id); }

  ExprId c(std::int32_t value) { return constant(value); }

  using NetworkBuilder::list;
};

}  // namespace tw::test
