// Makes a failing model smaller: delta debugging (Zeller 2002) on lines and braces, then on what
// stands in parentheses.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace txproof::test {

// The smallest text found, by at most `tries` trials, for which `fails` still holds.
//   requires: fails(text); a statement a line, as random_model writes it
std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& fails,
                   std::size_t tries = 4000);

}  // namespace txproof::test
