#include "tests/support/json_schema.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tests/support/files.h"

namespace txproof::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  throw std::runtime_error("unknown type in a schema: " + type);
}

class Validator {
 public:
  explicit Validator(fs::path folder) : folder_(std::move(folder)) {}

  std::string check(const json& value, const json& schema, const json& root,
                    const std::string& at) {
    refuse_unknown_keywords(schema);
    if (schema.contains("$ref")) {
      std::string error = check_reference(value, schema["$ref"], root, at);
      if (!error.empty()) return error;
    }
    if (schema.contains("anyOf")) {
      std::string errors;
      bool good = false;
      for (const json& option : schema["anyOf"]) {
        const std::string error = check(value, option, root, at);
        good = good || error.empty();
        errors += "\n  or " + error;
      }
      if (!good) return at + ": fits none of the forms:" + errors;
    }
    if (schema.contains("const") && value != schema["const"]) {
      return at + ": is not " + schema["const"].dump();
    }
    if (schema.contains("enum")) {
      bool good = false;
      for (const json& option : schema["enum"]) good = good || option == value;
      if (!good) return at + ": " + value.dump() + " is none of " + schema["enum"].dump();
    }
    if (schema.contains("type")) {
      bool good = false;
      const json& type = schema["type"];
      if (type.is_string()) good = has_type(value, type);
      for (const json& option : type.is_array() ? type : json::array()) {
        good = good || has_type(value, option);
      }
      if (!good) return at + ": is not of type " + type.dump();
    }
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"]) {
      return at + ": is below " + schema["minimum"].dump();
    }
    return value.is_object()  ? check_object(value, schema, root, at)
           : value.is_array() ? check_array(value, schema, root, at)
                              : "";
  }

  const json& file(const std::string& name) {
    const auto known = files_.find(name);
    if (known != files_.end()) return known->second;
    return files_[name] = json::parse(read_file(folder_ / name));
  }

 private:
  static void refuse_unknown_keywords(const json& schema) {
    static const std::set<std::string> known = {
        "$schema",  "$id",        "$defs",   "$ref",  "title",   "description",          "type",
        "enum",     "const",      "anyOf",   "items", "minimum", "additionalProperties", "required",
        "minItems", "properties", "maxItems"};
    for (const auto& [key, unused] : schema.items()) {
      if (!known.contains(key)) throw std::runtime_error("unknown keyword in a schema: " + key);
    }
  }

  std::string check_reference(const json& value, const std::string& reference, const json& root,
                              const std::string& at) {
    if (reference.starts_with("#")) {
      return check(value, root.at(json::json_pointer(reference.substr(1))), root, at);
    }
    const json& other = file(reference);
    return check(value, other, other, at);
  }

  std::string check_object(const json& value, const json& schema, const json& root,
                           const std::string& at) {
    for (const json& key : schema.value("required", json::array())) {
      if (!value.contains(key.get<std::string>())) return at + ": has no key " + key.dump();
    }
    const json properties = schema.value("properties", json::object());
    for (const auto& [key, item] : value.items()) {
      const std::string place = at + "/" + key;
      std::string error;
      if (properties.contains(key)) {
        error = check(item, properties[key], root, place);
      } else if (schema.contains("additionalProperties")) {
        error = check(item, schema["additionalProperties"], root, place);
      } else if (schema.contains("properties")) {
        // Keys may be added, but then the schema must tell of them.
        error = place + ": is not in the schema";
      }
      if (!error.empty()) return error;
    }
    return "";
  }

  std::string check_array(const json& value, const json& schema, const json& root,
                          const std::string& at) {
    if (schema.contains("minItems") && value.size() < schema["minItems"]) return at + ": too short";
    if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return at + ": too long";
    if (!schema.contains("items")) return "";
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string error = check(value[i], schema["items"], root, at + "/" + std::to_string(i));
      if (!error.empty()) return error;
    }
    return "";
  }

  fs::path folder_;
  std::map<std::string, json> files_;
};

}  // namespace

std::string schema_error(const json& value, const fs::path& schema_file) {
  Validator validator(schema_file.parent_path());
  const json& schema = validator.file(schema_file.filename().string());
  return validator.check(value, schema, schema, "");
}

}  // namespace txproof::test
