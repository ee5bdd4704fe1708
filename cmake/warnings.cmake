# One interface target that every own target links: warnings, and as errors when the tests are built.
option(LACUNA_WARNINGS_AS_ERRORS "Treat warnings as errors" ${LACUNA_TESTS})
add_library(lacuna_options INTERFACE)
target_compile_options(lacuna_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                -Wnon-virtual-dtor -Woverloaded-virtual
                                                # false alarms of g++ 12 inside std::string and fmt
                                                $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>
                                                # std::stable_sort of libstdc++ 12
                                                $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(LACUNA_WARNINGS_AS_ERRORS)
  target_compile_options(lacuna_options INTERFACE -Werror)
endif()
# Contraction into fused multiply-adds would make sums depend on the instruction set that dispatch picks.
target_compile_options(lacuna_options INTERFACE -ffp-contract=off)
