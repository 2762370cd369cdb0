// The one intermediate representation: a network of communicating (timed) state machines, frozen.
//
// It has two storeys. *Templates* are what the user wrote: names, parameters, locations and edges
// with labels that mention parameters. *Processes* are what runs: every process has its own
// locations, edges, variables and functions, whose expressions are copies of the template's with
// every name resolved to a run-time place. Copies have the shape of the original, node by node, so
// an item of a template and one of a process always correspond. Explorations read the lower storey
// only; reports and the printer read the upper one as well.
//
// Memory at run time is one array of integer cells: first the state, then `meta` variables
// (scratch, not part of the state), then constants, then the frames of functions, selects and
// iterators. There is no recursion, so every frame has a fixed place.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.hpp"
#include "engine/base/id_vector.hpp"
#include "engine/model/expression.hpp"
#include "engine/model/facts.hpp"
#include "engine/model/ids.hpp"
#include "engine/model/property.hpp"
#include "engine/model/type.hpp"

namespace tw {

enum class Storage : std::uint8_t {
  kState,     // part of the state; clocks and channels too
  kMeta,      // scratch memory of one transition
  kConstant,  // never changes
  kFrame,     // parameters and locals of functions, selects, iterators
};

enum class Role : std::uint8_t {
  kGlobal,
  kParameter,  // of a template or instantiation
  kLocal,      // of a template or process
  kFunctionParameter,
  kFunctionLocal,
  kSelect,
  kIterator,
};

struct Variable {
  std::string name;
  TypeId type;
  Role role = Role::kGlobal;
  Storage storage = Storage::kState;
  bool by_reference = false;  // a parameter that stands for another variable
  bool is_const = false;      // the user said so
  SourceRange where;
  bool prototype = false;     // of a template or instantiation: processes get copies
  TemplateId owner_template;  // whose, if a template's
  ProcessId process;          // set in the copies of a process
  VariableId made_from;       // the prototype a process variable is a copy of
  ExprId initialiser;         // of globals and template locals; invalid: default

  // Fixed when the network is frozen; invalid in prototypes. A reference parameter of a function
  // has frame cells that hold the first cell, then the first clock, of what it stands for.
  CellId first_cell;
  ClockId first_clock;
  ChannelId first_channel;

  /// Stands for another variable at run time; a constant reference is as good as a copy.
  [[nodiscard]] bool is_alias() const { return by_reference && !is_const; }
};

struct Function {
  std::string name;
  TypeId result;
  std::vector<VariableId> parameters;
  std::vector<VariableId> locals;  // in order of declaration, nested blocks included
  StmtId body;
  SourceRange where;
  bool prototype = false;     // of a template: processes get copies
  TemplateId owner_template;  // whose, if a template's
  ProcessId process;          // set in the copies of a process
  FunctionId made_from;       // the prototype a process function is a copy of
  FunctionFacts facts;
};

/// Text that means nothing to the semantics and much to people and test harnesses.
struct Annotation {
  std::string kind;
  std::string text;
};

struct Point {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

/// How an editor draws an element; a report draws it the same way.
struct Layout {
  std::optional<Point> at;
  std::vector<Point> nails;
  std::string colour;
};

enum class LocationKind : std::uint8_t {
  kNormal,
  kUrgent,
  kCommitted,
  kBranchpoint,  // not a place to stay: an edge into it goes on with one of the edges out of it
};

struct LocationDecl {
  TemplateId owner;
  std::string name;  // unnamed ones are called '_' and their id
  bool named = true;
  LocationKind kind = LocationKind::kNormal;
  ExprId invariant;  // invalid: none
  SourceRange where;
  std::vector<Annotation> annotations;
  Layout layout;
};

enum class Direction : std::uint8_t {
  kInternal,
  kSend,
  kReceive,
};

/// What stands at an edge. Guard, channel and select ranges are evaluated before any update.
struct EdgeLabels {
  std::vector<VariableId> selects;
  ExprId guard;    // invalid: none
  ExprId channel;  // invalid: internal
  Direction direction = Direction::kInternal;
  std::vector<ExprId> updates;
};

struct EdgeDecl {
  TemplateId owner;
  LocationDeclId source;
  LocationDeclId target;
  EdgeLabels labels;
  SourceRange where;
  bool controllable = true;
  std::vector<Annotation> annotations;
  Layout layout;
};

/// A variable or a function; exactly one is valid. Their order matters where one mentions the
/// other.
struct Declared {
  VariableId variable;
  FunctionId function;
};

struct Template {
  std::string name;
  SourceRange where;
  std::vector<VariableId> parameters;
  std::vector<VariableId> locals;
  std::vector<FunctionId> functions;
  std::vector<Declared> declarations;     // locals and functions as written
  std::vector<LocationDeclId> locations;  // branchpoints last
  std::vector<EdgeDeclId> edges;
  LocationDeclId initial;
};

/// `name(parameters) = target(arguments)`; a template listed in the system line is an instance of
/// itself.
struct Instance {
  std::string name;
  SourceRange where;
  std::vector<VariableId> parameters;
  TemplateId of_template;  // exactly one of these two is valid
  InstanceId of_instance;
  std::vector<ExprId> arguments;
  bool implicit = false;  // a template listed directly: not written down when printing
};

struct SystemEntry {
  InstanceId instance;
  std::uint32_t priority = 0;  // higher wins
};

struct Location {
  ProcessId process;
  LocationDeclId decl;
  ExprId invariant;
};

struct Edge {
  ProcessId process;
  EdgeDeclId decl;
  LocationId source;
  LocationId target;
  EdgeLabels labels;
  EdgeFacts facts;
};

struct Process {
  std::string name;  // "Train", "Train(3)"
  TemplateId of_template;
  InstanceId instance;
  std::vector<std::int32_t> arguments;  // values of the free parameters, as in the name
  std::uint32_t priority = 0;
  LocationId first_location;
  std::uint32_t location_count = 0;
  EdgeId first_edge;
  std::uint32_t edge_count = 0;
  LocationId initial;
  std::vector<VariableId> variables;  // parameters and locals that exist at run time
  std::vector<FunctionId> functions;
};

struct Channel {
  std::string name;  // "appr[3]"
  VariableId variable;
  bool urgent = false;
  bool broadcast = false;
  std::int32_t priority = 0;  // relative to `default`, which is 0
};

struct Clock {
  std::string name;  // "Train(3).x"
  VariableId variable;
  std::int32_t initial = 0;
};

/// One integer of the state or of the constants.
struct Cell {
  VariableId variable;
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::int32_t initial = 0;
};

struct Query {
  std::string formula;
  std::string comment;
  std::string expected;  // outcome the file expects, if it says so
  SourceRange where;
  /// Of `E<> p` and `A[] p`, which become F p and G p. Other forms are text only.
  std::optional<Property> property;
  /// Why it has none although it begins like one of these: for those who need it.
  std::vector<Diagnostic> problems;
};

/// Where the regions of the run-time memory end.
struct MemoryMap {
  std::uint32_t state = 0;      // cells [0, state)
  std::uint32_t meta = 0;       // [state, meta)
  std::uint32_t constants = 0;  // [meta, constants)
  std::uint32_t total = 0;      // [constants, total): frames
};

/// `chan priority`: how the printer finds back what was written; lowest group first.
struct PriorityGroup {
  std::vector<ExprId> channels;
  bool has_default = false;
};

struct Network {
  TypeTable types;
  ExpressionPool pool;
  IdVector<VariableId, Variable> variables;
  IdVector<FunctionId, Function> functions;

  // The upper storey: as written.
  std::vector<VariableId> globals;  // in order of declaration, constants included
  std::vector<FunctionId> global_functions;
  std::vector<Declared> declarations;  // globals and global functions as written
  IdVector<TemplateId, Template> templates;
  IdVector<LocationDeclId, LocationDecl> location_decls;
  IdVector<EdgeDeclId, EdgeDecl> edge_decls;
  IdVector<InstanceId, Instance> instances;
  std::vector<SystemEntry> system;
  std::vector<PriorityGroup> channel_priorities;
  std::vector<std::string> scalar_sets;  // name of each scalar set
  std::vector<ExprId> before_update;
  std::vector<ExprId> after_update;
  std::vector<Query> queries;
  std::vector<Property> properties;  // requirements given beside the model
  std::vector<Annotation> annotations;

  // The lower storey: as it runs.
  IdVector<ProcessId, Process> processes;
  IdVector<LocationId, Location> locations;
  IdVector<EdgeId, Edge> edges;
  IdVector<ChannelId, Channel> channels;
  IdVector<ClockId, Clock> clocks;
  IdVector<CellId, Cell> cells;  // state, meta and constants
  MemoryMap memory;

  [[nodiscard]] const LocationDecl& decl(LocationId id) const {
    return location_decls[locations[id].decl];
  }

  [[nodiscard]] const EdgeDecl& decl(EdgeId id) const { return edge_decls[edges[id].decl]; }

  /// "Train(3).x" for a variable of a process, "x" for a global one.
  [[nodiscard]] std::string qualified_name(VariableId id) const;

  /// Events and coverage speak of clocks as of cells: their numbers follow those of all memory.
  [[nodiscard]] CellId cell_of(ClockId clock) const { return CellId(memory.total + clock.index()); }

  [[nodiscard]] bool is_clock(CellId cell) const { return cell.index() >= memory.total; }

  /// Pre: it is one.
  [[nodiscard]] ClockId clock_of(CellId cell) const { return ClockId(cell.index() - memory.total); }

  /// "Train(3).list[2].len": one cell or clock, named the way the user would write it.
  [[nodiscard]] std::string cell_name(CellId id) const;

  /// The same for the element at this offset of a variable, counted in cells, clocks (space kClock)
  /// or channels (space kChannel).
  [[nodiscard]] std::string element_name(VariableId id, std::size_t offset, TypeKind space) const;

  /// The variable that lives at this cell or clock.
  [[nodiscard]] VariableId variable_at(CellId id) const {
    return is_clock(id) ? clocks[clock_of(id)].variable : cells[id].variable;
  }

  /// Bits a state needs when every cell is stored in as few bits as its range allows.
  [[nodiscard]] std::uint64_t packed_state_bits() const;

  /// The share of one variable in that.
  [[nodiscard]] std::uint64_t packed_bits(VariableId id) const;

  [[nodiscard]] bool is_timed() const { return !clocks.empty(); }
};

/// Equal as systems: same storeys, names, types, expressions and places; source ranges, layout,
/// annotations, queries and properties aside. If not, what differs first, in words; nullopt means
/// equal.
[[nodiscard]] std::optional<std::string> first_difference(const Network& a, const Network& b);

}  // namespace tw
