#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "model/lang/frontend.h"

namespace txproof::lang {

namespace fs = std::filesystem;

FileProvider::Answer DiskFiles::read(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  // A path component that is a file (ENOTDIR) is as absent as a missing one.
  if (status.type() == fs::file_type::not_found) return {};
  if (status.type() == fs::file_type::none) {
    return {std::nullopt, error ? error.message() : "cannot be read"};
  }
  if (status.type() == fs::file_type::directory) return {std::nullopt, "it is a directory"};
  // A pipe would block for ever, a device might never end.
  if (status.type() != fs::file_type::regular) return {std::nullopt, "it is not a regular file"};
  const std::uintmax_t size = fs::file_size(path, error);
  const std::string too_large =
      "it is larger than " + std::to_string(max_bytes_) + " bytes, the limit for one file";
  if (!error && size > max_bytes_) return {std::nullopt, too_large};
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return {std::nullopt, errno != 0 ? std::strerror(errno) : "it cannot be opened"};
  }
  // The size is only a hint: files under /proc say 0, and one may grow meanwhile.
  std::string text;
  char buffer[1U << 16U];
  while (stream.read(buffer, sizeof buffer) || stream.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > max_bytes_) return {std::nullopt, too_large};
  }
  if (stream.bad()) return {std::nullopt, "reading it failed"};
  return {std::move(text), {}};
}

}  // namespace txproof::lang
