#include "syntax/flat_tree.h"

#include <gtest/gtest.h>

#include <set>

#include "syntax/notation.h"

namespace bashward::syntax {
namespace {

TEST(FlatTree, HasEachNameOnce) {
  const Names& names = GetNames();
  EXPECT_EQ(std::set(names.kinds.begin(), names.kinds.end()).size(), names.kinds.size());
  EXPECT_EQ(std::set(names.fields.begin(), names.fields.end()).size(), names.fields.size());
}

TEST(FlatTree, HasNoFieldAtZero) {
  EXPECT_EQ(GetNames().fields.at(0), "");
}

// Every node's subtree ends inside its parent's, and its range does, too.
void ExpectNested(const FlatTree& tree, int32_t parent) {
  const int32_t end = Get(tree, parent, kNext);
  int32_t at = Get(tree, parent, kStart);
  for (int32_t child = parent + 1; child != end; child = Get(tree, child, kNext)) {
    ASSERT_LT(child, end);
    ASSERT_GT(Get(tree, child, kNext), child);
    ASSERT_GE(Get(tree, child, kStart), at);
    ASSERT_LE(Get(tree, child, kEnd), Get(tree, parent, kEnd));
    at = Get(tree, child, kEnd);
    ExpectNested(tree, child);
  }
}

class FlatTreeOf : public testing::TestWithParam<const char16_t*> {};

TEST_P(FlatTreeOf, NestsItsNodes) {
  const FlatTree tree = Parse(GetParam(), AnHour());
  ASSERT_TRUE(tree);
  EXPECT_EQ(Get(tree, 0, kNext), static_cast<int32_t>(CountNodes(tree)));
  ExpectNested(tree, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, FlatTreeOf,
    testing::Values(u"", u"a", u"a; b | c && d &\ne", u"if a; then b; elif c; then d; else e; fi",
                    u"case $a in b|c) d;; *) e;; esac",
                    u"a=(1 2) b[3]=c d+=e; f() { g; }; for ((;;)); do h; done",
                    u"a \"b $c ${d:-e} $(f `g`)\" 'h' $'i' <(j) >(k) $((1 + 2)) {1..3} l{m,n}o ~p *.q",
                    u"a <<B <<-C >d\n$(e)\nB\n\tf\n\tC\n[[ -n $g && h =~ i.* ]]", u") } fi ((",
                    u"a $( \"${ `"));

}  // namespace
}  // namespace bashward::syntax
