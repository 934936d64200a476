// TX05xx. A row: the code, a few words, and what it means with an example and the mend.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_patches() {
  return {
      {"TX0501", "not a patch",
       "The file holds no unified diff. A patch of a model is made as any other:\n\n"
       "    git diff > mine.patch\n"
       "    diff -u model/linux/2.6.34/dev.tx changed.tx > mine.patch\n\n"
       "An empty file, or mail headers alone, is a patch that changes nothing.\n"},
      {"TX0502", "a part of the patch that is not understood",
       "Every file of a patch begins with '--- OLD' and '+++ NEW', each followed by hunks:\n\n"
       "    --- a/model/linux/2.6.34/dev.tx\n"
       "    +++ b/model/linux/2.6.34/dev.tx\n"
       "    @@ -12,7 +12,8 @@\n\n"
       "Binary patches and copies are refused: models are text, and a new file is written in "
       "full.\n"},
      {"TX0503", "a hunk whose lines do not match its header",
       "'@@ -12,7 +12,8 @@' promises 7 lines of the old text (context and '-') and 8 of the new "
       "one "
       "(context and '+'). A patch that was edited by hand, or cut off by a mail program, breaks "
       "that "
       "promise. Make the diff anew, or correct the counts.\n"},
      {"TX0504", "a hunk that does not apply",
       "Every context and removed line of a hunk must stand in the file, letter for letter; only "
       "its "
       "place may differ (that is reported). The message shows the first line that the hunk "
       "expects "
       "and what stands there instead, at the place that fits best.\n\n"
       "Often the patch is for another version of the file, sits on another patch (give that one "
       "first: diff --base, check --patch), or is applied already.\n"},
      {"TX0505", "a file that is there and should not be, or the other way round",
       "A patch creates a file that exists, renames one onto another, or deletes one and leaves "
       "text "
       "in it. It was made for another state of the tree.\n"},
      {"TX0506", "a path that leaves its root",
       "Patches come from strangers: their paths must be relative, without '..', and lead to files "
       "below the stack's folder, a --root, the shipped library, or the git work tree of the "
       "stack.\n"},
      {"TX0507", "a patch for a file that is not there",
       "The path of the patch, with or without a/ and b/, was looked up below the stack's folder, "
       "each "
       "--root, the shipped library and the git work tree of the stack, and no such file was "
       "found. "
       "Name the folder that the paths are relative to with --root DIR.\n"},
      {"TX0508", "a patch that sits on another one",
       "The header of the patch has a line 'Base: OTHER.patch'. Apply that one first:\n\n"
       "    txproof diff STACK --base OTHER.patch THIS.patch\n"
       "    txproof check STACK --patch OTHER.patch --patch THIS.patch\n"},
      {"TX0509", "a patch that cannot be read",
       "The file is missing or not readable, or the same patch is given twice.\n"},
      {"TX0510", "a patch for another model",
       "The patch applies, but changes only files that this stack does not import: it would be "
       "compared with itself. Choose the stack that the patch is about (its header may have a line "
       "'Stack:').\n"},
      {"TX0511", "a git revision that cannot be read",
       "--git A..B takes two names of commits (branches, tags, hashes) of the git work tree in "
       "which "
       "the stack lies. A name that begins with '-' is no revision.\n"},
  };
}

}  // namespace txproof::lang
