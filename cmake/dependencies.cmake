# Everything here comes from Debian 12 packages; `dev` holds the list of package names.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
