# The library, as a function so that the tests can build a second copy with planted bugs (see src/mcmc/planted_bug.hpp).
function(lacuna_add_core name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                             PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${name} SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
  target_compile_definitions(${name} PRIVATE LACUNA_VERSION="${PROJECT_VERSION}" XXH_INLINE_ALL)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:lacuna_options> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>
                                        fmt::fmt ZLIB::ZLIB Threads::Threads)
endfunction()
