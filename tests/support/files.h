// Files that tests read and write.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace txproof::test {

// The root of the source tree.
std::filesystem::path source_folder();

// The whole of a file, byte for byte.
//   errors: throws std::runtime_error if it cannot be read
std::string read_file(const std::filesystem::path& path);

// Writes a file, and the folders above it.
//   errors: throws std::runtime_error if it cannot be written
void write_file(const std::filesystem::path& path, std::string_view text);

// A new folder under the system's temporary one, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace txproof::test
