// Every index of the model has its own type.
#pragma once

#include "engine/base/id.hpp"

namespace tw {

using TypeId = Id<struct TypeTag>;
using ExprId = Id<struct ExprTag>;
using StmtId = Id<struct StmtTag>;
using VariableId = Id<struct VariableTag>;
using FunctionId = Id<struct FunctionTag>;

using TemplateId = Id<struct TemplateTag>;
using LocationDeclId = Id<struct LocationDeclTag>;  // a location of a template
using EdgeDeclId = Id<struct EdgeDeclTag>;          // an edge of a template
using InstanceId = Id<struct InstanceTag>;          // `Q(params) = T(args)` or a listed template

using ProcessId = Id<struct ProcessTag>;
using LocationId = Id<struct LocationTag>;  // a location of a process
using EdgeId = Id<struct EdgeTag>;          // an edge of a process

using CellId = Id<struct CellTag>;        // one integer of the run-time memory
using ClockId = Id<struct ClockTag>;      // one real-valued clock
using ChannelId = Id<struct ChannelTag>;  // one channel; an array of channels has several

}  // namespace tw
