# Compiler options shared by every target of ours.
option(SW_TESTS "build the tests" ON)
option(SW_WERROR "warnings are errors" ON)
option(SW_FUZZ "build the libFuzzer targets (needs clang)" OFF)
set(SW_SANITIZE "" CACHE STRING "address, undefined, thread or a comma-separated list")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wswitch-enum -Wvla $<$<BOOL:${SW_WERROR}>:-Werror>)
add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
add_compile_options(-fno-strict-aliasing -ffp-contract=off)
if(CMAKE_CROSSCOMPILING) # by clang: attributes that it does not know only make code faster
  add_compile_options(-Wno-unknown-attributes)
endif()
# Assertions of ours (BUG, SW_ASSERT) never compile out, so NDEBUG changes nothing here.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")
if(SW_SANITIZE)
  # the checks that sanitizers insert make these two warn of what cannot happen
  add_compile_options(-Wno-format-truncation -Wno-maybe-uninitialized)
  add_compile_options(-fsanitize=${SW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SW_SANITIZE})
  if(SW_SANITIZE MATCHES thread)
    add_compile_options(-Wno-tsan) # fences are not seen by it; none orders data of ours
  endif()
endif()
if(SW_FUZZ) # libFuzzer sees the branches of all modules; its main() comes with each fuzz target
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all)
  add_compile_options(-Wno-unknown-attributes -Wno-psabi) # of clang: they only make code faster
  add_link_options(-fsanitize=address,undefined)
endif()
