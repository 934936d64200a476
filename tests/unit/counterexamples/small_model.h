// A Program from a few lines of text, for the tests of traces.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "checker/explicit/search.h"
#include "model/lang/frontend.h"
#include "model/program/elaborate.h"

namespace txproof::counterexamples {

struct SmallModel {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  std::unique_ptr<lang::Model> model;
  std::unique_ptr<program::Program> program;

  explicit SmallModel(const std::string& text) {
    lang::DiskFiles files;
    model = lang::load_text("small.tx", text, {}, files, sources, diagnostics);
    if (!diagnostics.has_errors()) {
      program = program::elaborate(*model, *model->stacks.at(0), {}, diagnostics);
    }
    if (diagnostics.has_errors()) {
      throw std::runtime_error(lang::render(sources, diagnostics.all()[0]));
    }
  }

  // The path of the violated property.
  [[nodiscard]] properties::Result violated(const std::string& name) const {
    for (const properties::Result& result : checker::explore(*program, {}).results) {
      if (program->properties[result.property].name == name && result.path) return result;
    }
    throw std::runtime_error(name + " is not violated");
  }
};

}  // namespace txproof::counterexamples
