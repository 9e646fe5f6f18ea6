// Parses any text: within its limits, to a tree whose nodes are nested, and without a trace in the next
// parse.
#include <time.h>

#include <cstdint>
#include <string>

#include "require.h"
#include "syntax/notation.h"

namespace bashward::syntax {
namespace {

constexpr std::chrono::milliseconds kDeadline(50);
// Sanitizers make everything slow, the last few steps before a look at the clock, too.
constexpr std::chrono::milliseconds kGrace(500);

// ASCII is itself; any other byte, with the next one, makes a code unit beyond it: letters, symbols,
// surrogates.
std::u16string ToText(const uint8_t* bytes, size_t size) {
  std::u16string text;
  for (size_t i = 0; i < size; ++i) {
    char16_t unit = bytes[i];
    if (unit >= 0x80 && i + 1 < size) unit = static_cast<char16_t>(unit << 8 | bytes[++i]);
    text.push_back(unit);
  }
  return text;
}

void RequireNested(const FlatTree& tree, size_t text_size) {
  const auto count = static_cast<int32_t>(CountNodes(tree));
  Require(Get(tree, 0, kNext) == count, "the root's subtree is not the whole tree");
  Require(Get(tree, 0, kEnd) <= static_cast<int32_t>(text_size), "the root is longer than the text");
  // Before each node, in this order, stand its ancestors; here those whose subtree has not ended.
  std::vector<int32_t> ancestors;
  for (int32_t node = 0; node < count; ++node) {
    Require(Get(tree, node, kStart) <= Get(tree, node, kEnd), "a node ends before it starts");
    Require(
        Get(tree, node, kKind) >= 0 && Get(tree, node, kKind) < static_cast<int32_t>(GetNames().kinds.size()),
        "a node is of no kind");
    while (!ancestors.empty() && Get(tree, ancestors.back(), kNext) == node) ancestors.pop_back();
    Require(ancestors.empty() == (node == 0), "a node has no parent");
    if (node != 0) {
      const int32_t parent = ancestors.back();
      Require(Get(tree, node, kNext) > node && Get(tree, node, kNext) <= Get(tree, parent, kNext),
              "a subtree ends behind its parent's");
      Require(Get(tree, node, kStart) >= Get(tree, parent, kStart) &&
                  Get(tree, node, kEnd) <= Get(tree, parent, kEnd),
              "a node reaches out of its parent");
    }
    ancestors.push_back(node);
  }
}

std::chrono::nanoseconds ThreadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace
}  // namespace bashward::syntax

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace bashward;
  using namespace bashward::syntax;
  static const std::string kExpected = Notation(Parse(u"git add -A", AnHour()));
  const std::u16string text = ToText(bytes, size);
  const std::chrono::nanoseconds start = ThreadTime();
  const FlatTree tree = Parse(text, Within(kDeadline));
  Require(ThreadTime() - start < kDeadline + kGrace, "the deadline was not kept");
  if (tree) {
    RequireNested(tree, text.size());
  } else {
    Require(Notation(Parse(u"git add -A", AnHour())) == kExpected, "the next parse was not right");
  }
  return 0;
}
