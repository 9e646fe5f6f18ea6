# The cross toolchain of `npm run prebuilds`: Zig's clang with the C libraries that it brings.
#   ZIG=/path/of/zig ZIG_TARGET=aarch64-linux-musl cmake -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake …
foreach(name ZIG ZIG_TARGET)
  if("$ENV{${name}}" STREQUAL "")
    message(FATAL_ERROR "cmake/zig.cmake: the environment variable ${name} is not set")
  endif()
endforeach()

set(CMAKE_SYSTEM_NAME Linux)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "$ENV{ZIG_TARGET}")
set(CMAKE_C_COMPILER "$ENV{ZIG}" cc -target $ENV{ZIG_TARGET})
set(CMAKE_CXX_COMPILER "$ENV{ZIG}" c++ -target $ENV{ZIG_TARGET})
# The checks of CMake compile, and do not link: Zig would build its C++ library once more, for an unoptimized program.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# The same bytes wherever they are built: no path of the checkout, no build id.
get_filename_component(checkout "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set(release "-O2 -DNDEBUG -ffile-prefix-map=${checkout}=.")
set(CMAKE_C_FLAGS_RELEASE "${release}" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "${release}" CACHE STRING "")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-s -Wl,--build-id=none")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-s -Wl,--build-id=none")
