// Results to standard output or a file, notes to standard error.
#pragma once

#include <string>

#include "cli/options.h"
#include "properties/exit_status.h"

namespace txproof::cli {

// Whether text may carry colour: as --color says, or on a terminal unless NO_COLOR or TERM=dumb.
bool use_color(const Options& options);

// Writes the whole result where it was asked for.
//   ensures: `status` if it is written; unusable if it is not, with a message, which a reader that
//            closed its pipe does not get
properties::ExitStatus write_result(const Options& options, const std::string& text,
                                    properties::ExitStatus status);

// Refuses an -o file that cannot be written before anything is run. Returns a sentence, or nothing.
std::string check_output(const Options& options);

// "txproof: TEXT" on standard error; failing to write it is no error.
void say(const std::string& text);
void write_error(const std::string& text);

// Writes a file as a whole. Returns a sentence, or nothing.
std::string write_file(const std::string& path, const std::string& text);

}  // namespace txproof::cli
