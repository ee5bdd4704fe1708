# The library, as a function so that the tests can build a second copy of some folders with planted bugs
# (see src/support/planted_bug.hpp): lacuna_add_core(name [folder...]), all folders by default.
function(lacuna_add_core name)
  set(folders ${ARGN})
  if(NOT folders)
    set(folders *)
  endif()
  list(TRANSFORM folders REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/\\1/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${folders})
  add_library(${name} STATIC ${sources})
  # The inner loops alone may use fused multiply-adds (ARCHITECTURE.md, "Instruction sets").
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/network/forward_block.cpp ${PROJECT_SOURCE_DIR}/src/network/backward_block.cpp ${PROJECT_SOURCE_DIR}/src/network/output_moments_block.cpp
                              TARGET_DIRECTORY ${name} PROPERTIES COMPILE_OPTIONS "-ffp-contract=fast")
  # So that the compiler may put square roots and comparisons of the weight updates into vectors.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/warmup/adam.cpp
                              TARGET_DIRECTORY ${name} PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-fno-trapping-math")
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${name} SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
  target_compile_definitions(${name} PRIVATE LACUNA_VERSION="${PROJECT_VERSION}" XXH_INLINE_ALL)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:lacuna_options> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
                                        ${LACUNA_FMT} ZLIB::ZLIB Threads::Threads)
endfunction()
