# One place for flags and for the shape of a module target.

add_library(tw_flags INTERFACE)
target_compile_features(tw_flags INTERFACE cxx_std_20)
target_compile_options(tw_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wformat=2
  -Wimplicit-fallthrough -Wundef
  -Wno-missing-field-initializers  # designated initialisers leave out members on purpose
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wuseless-cast>
  # Not -Wnull-dereference with GCC: at -O3 version 12 finds them inside its own vectors and streams.
  $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 sees overlaps in std::string operator+ (bug 105651)
  $<$<BOOL:${TW_WERROR}>:-Werror>)
if(TW_SANITIZE)
  list(JOIN TW_SANITIZE "," _tw_san)
  target_compile_options(tw_flags INTERFACE
    -fsanitize=${_tw_san} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(tw_flags INTERFACE -fsanitize=${_tw_san})
endif()

# tw_module(<name> SOURCES a.cpp ... HEADERS a.hpp ... DEPS tw::base ... PRIVATE_DEPS pugixml::pugixml)
# Creates library tw_<name> and alias tw::<name>. Headers are verified to compile alone.
function(tw_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPS;PRIVATE_DEPS" ${ARGN})
  if(ARG_SOURCES)
    set(scope PUBLIC)
    add_library(tw_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(tw_${name} PRIVATE tw_flags ${ARG_PRIVATE_DEPS})
  else()
    set(scope INTERFACE)
    add_library(tw_${name} INTERFACE)
  endif()
  add_library(tw::${name} ALIAS tw_${name})
  target_sources(tw_${name} ${scope} FILE_SET HEADERS
    BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  target_compile_features(tw_${name} ${scope} cxx_std_20)
  target_link_libraries(tw_${name} ${scope} ${ARG_DEPS})
  set_target_properties(tw_${name} PROPERTIES
    CXX_EXTENSIONS OFF VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()
