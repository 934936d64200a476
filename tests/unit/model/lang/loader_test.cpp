#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "model/lang/frontend.h"
#include "tests/support/files.h"

using namespace txproof::lang;
namespace fs = std::filesystem;

namespace {

// Files in memory; one with the text "!" cannot be read.
class MemoryFiles : public FileProvider {
 public:
  std::map<std::string, std::string> files;
  std::vector<std::string> asked;
  Answer read(const std::string& path) override {
    asked.push_back(path);
    const auto found = files.find(path);
    if (found == files.end()) return {};
    if (found->second == "!") return {std::nullopt, "Permission denied"};
    return {found->second, {}};
  }
};

struct Loaded {
  SourceSet sources;
  Diagnostics diagnostics;
  std::unique_ptr<Model> model;
  std::string said() const {
    std::string result;
    for (const Diagnostic& d : diagnostics.all()) result += render(sources, d);
    return result;
  }
  std::vector<std::string> codes() const {
    std::vector<std::string> result;
    for (const Diagnostic& d : diagnostics.all()) result.push_back(d.code);
    return result;
  }
};

std::unique_ptr<Loaded> load_from(FileProvider& files, const std::string& path,
                                  const LoadOptions& options = {}) {
  auto result = std::make_unique<Loaded>();
  result->model = load(path, options, files, result->sources, result->diagnostics);
  return result;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("imports come before importers, each file once") {
  MemoryFiles files;
  files.files = {{"m/main.tx", "import \"a.tx\"; import \"b.tx\"; import \"./a.tx\";"},
                 {"m/a.tx", "import \"c.tx\"; const A = 1;"},
                 {"m/b.tx", "import \"c.tx\"; const B = 1;"},
                 {"m/c.tx", "const C = 1;"}};
  const auto loaded = load_from(files, "m/main.tx");
  CHECK(loaded->said() == "");
  std::vector<std::string> order;
  for (const auto& file : loaded->model->files) {
    order.push_back(loaded->sources.file(file->file).path);
  }
  CHECK(order == Codes{"m/c.tx", "m/a.tx", "m/b.tx", "m/main.tx"});
  CHECK(files.asked.size() == 4);
}

TEST_CASE("an import is looked up beside the importer, then in each root") {
  MemoryFiles files;
  files.files = {{"m/stacks/main.tx", "import \"linux/a.tx\"; import \"../linux/d.tx\";"},
                 {"r2/linux/a.tx", "import \"b.tx\";"},
                 {"m/linux/d.tx", ""},
                 {"r2/linux/b.tx", ""}};
  LoadOptions options;
  options.roots = {"m", "r2"};
  CHECK(load_from(files, "m/stacks/main.tx", options)->said() == "");
}

TEST_CASE("a missing import says where it was looked for") {
  MemoryFiles files;
  files.files = {{"m/main.tx", "import \"a.tx\";"}};
  LoadOptions options;
  options.roots = {"r"};
  const auto loaded = load_from(files, "m/main.tx", options);
  CHECK(loaded->codes() == Codes{"TX0008"});
  CHECK(loaded->said().find("looked for m/a.tx, r/a.tx") != std::string::npos);
}

TEST_CASE("a path that leaves the roots is refused and never asked for") {
  for (const char* path : {"/etc/passwd", "../a.tx", "x/../../a.tx", "x/../../../etc/passwd"}) {
    CAPTURE(path);
    MemoryFiles files;
    files.files = {{"m/main.tx", "import \"" + std::string(path) + "\";"}};
    LoadOptions options;
    options.roots = {"r"};
    CHECK(load_from(files, "m/main.tx", options)->codes() == Codes{"TX0010"});
    CHECK(files.asked == Codes{"m/main.tx"});
  }
}

TEST_CASE("a circle of imports is named, with a note at each import") {
  MemoryFiles files;
  files.files = {{"main.tx", "import \"a.tx\";"},
                 {"a.tx", "import \"b.tx\";"},
                 {"b.tx", "\nimport \"a.tx\";"}};
  const auto loaded = load_from(files, "main.tx");
  CHECK(loaded->codes() == Codes{"TX0009"});
  CHECK(loaded->said().find("a.tx -> b.tx -> a.tx") != std::string::npos);
  CHECK(loaded->diagnostics.all()[0].notes.size() == 1);
  files.files = {{"main.tx", "import \"main.tx\";"}};
  CHECK(load_from(files, "main.tx")->codes() == Codes{"TX0009"});
}

TEST_CASE("limits: depth, number of files, bytes") {
  MemoryFiles files;
  for (int i = 0; i < 20; ++i) {
    files.files["f" + std::to_string(i)] = "import \"f" + std::to_string(i + 1) + "\";";
  }
  files.files["f20"] = "";
  CHECK(load_from(files, "f0")->said() == "");
  LoadOptions options;
  options.max_import_depth = 10;
  CHECK(load_from(files, "f0", options)->codes() == Codes{"TX0011"});
  options = {};
  options.max_files = 10;
  CHECK(load_from(files, "f0", options)->codes() == Codes{"TX0011"});
  options = {};
  options.max_total_bytes = 100;
  CHECK(load_from(files, "f0", options)->codes() == Codes{"TX0011"});
}

TEST_CASE("errors of all files are reported in one run") {
  MemoryFiles files;
  files.files = {{"main.tx", "import \"a.tx\"; import \"b.tx\"; import \"\"; fn f( { }"},
                 {"a.tx", "fn 1() { }"},
                 {"b.tx", "!"}};
  const auto codes = load_from(files, "main.tx")->codes();
  CHECK(codes.size() == 4);
}

TEST_CASE("what is no file has a message of its own") {
  const txproof::test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    txproof::test::write_file(folder.path() / name, text);
  };
  write("main.tx", "");
  DiskFiles files(1000);
  const auto message = [&](const fs::path& path) {
    return load_from(files, path.string())->said();
  };
  CHECK(message(folder.path() / "main.tx") == "");
  CHECK(message(folder.path() / "absent.tx").find("there is no such file") != std::string::npos);
  CHECK(message(folder.path() / "main.tx/x").find("TX0007") != std::string::npos);
  CHECK(message(folder.path()).find("it is a directory") != std::string::npos);
  CHECK(message("/dev/zero").find("not a regular file") != std::string::npos);
  write("large.tx", std::string(2000, ' '));
  CHECK(message(folder.path() / "large.tx").find("larger than 1000 bytes") != std::string::npos);
  write("binary.tx", std::string("a\0b", 3));
  CHECK(message(folder.path() / "binary.tx").find("TX0001") != std::string::npos);
  if (geteuid() != 0) {
    chmod((folder.path() / "main.tx").c_str(), 0);
    CHECK(message(folder.path() / "main.tx").find("Permission denied") != std::string::npos);
  }
}

TEST_CASE("a link out of the roots is refused, one inside is the same file") {
  const txproof::test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    txproof::test::write_file(folder.path() / name, text);
  };
  write("secret.tx", "const S = 1;");
  write("m/a.tx", "const A = 1;");
  fs::create_symlink(folder.path() / "secret.tx", folder.path() / "m/out.tx");
  fs::create_symlink(folder.path(), folder.path() / "m/up");
  fs::create_symlink("a.tx", folder.path() / "m/same.tx");
  DiskFiles files;
  write("m/main.tx", "import \"a.tx\"; import \"same.tx\";");
  CHECK(load_from(files, (folder.path() / "m/main.tx").string())->said() == "");
  for (const char* path : {"out.tx", "up/secret.tx"}) {
    write("m/main.tx", "import \"" + std::string(path) + "\";");
    CHECK(load_from(files, (folder.path() / "m/main.tx").string())->codes() == Codes{"TX0010"});
  }
}

TEST_CASE("BOM and CRLF are no matter") {
  MemoryFiles files;
  files.files = {{"main.tx", "\xEF\xBB\xBFimport \"a.tx\";\r\nconst B = A;\r\n"},
                 {"a.tx", "const A = 1;\r\n"}};
  CHECK(load_from(files, "main.tx")->said() == "");
}
