// The filter as the kernel gets it, run over system calls that are never made.
#ifndef BASHWARD_TEST_SUPPORT_FILTER_PROGRAM_H_
#define BASHWARD_TEST_SUPPORT_FILTER_PROGRAM_H_

#include <linux/filter.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "sandbox/seccomp_filter.h"

namespace bashward::test {

// Of the kernel that this runs on.
extern const uint32_t kOwnArchitecture;

// What a filter says of a call: kAllowed, kPretended for a success without the call, kAsksBroker, an errno,
// or kOther for anything else.
inline constexpr int kAllowed = 0;
inline constexpr int kOther = -1;
inline constexpr int kPretended = -2;
inline constexpr int kAsksBroker = -3;

class FilterProgram {
 public:
  // `install` calls seccomp(2) once, in a forked process. Nothing is installed.
  static FilterProgram GivenBy(const std::function<void()>& install);
  // Of Restricted mode.
  static FilterProgram Of(sandbox::LandlockGaps gaps);
  static FilterProgram Of(const sandbox::FilterPolicy& policy);

  int Judge(uint32_t number, std::initializer_list<uint64_t> arguments = {},
            uint32_t architecture = kOwnArchitecture) const;

  const std::vector<sock_filter>& code() const { return code_; }

 private:
  std::vector<sock_filter> code_;
};

// The three of Restricted mode.
const FilterProgram& CompleteFilter();          // Landlock leaves no gap
const FilterProgram& FilterForSignals();        // it does not scope signals: before ABI 6
const FilterProgram& FilterForTruncationToo();  // nor does it know truncation: before ABI 3

// Two where files can be made, but nothing asks a broker.
const FilterProgram& MakingFilter();                  // Landlock leaves no gap
const FilterProgram& MakingFilterForTruncationToo();  // before ABI 3

// Two where something can be written to.
const FilterProgram& BrokeredFilter();                  // Landlock leaves no gap
const FilterProgram& BrokeredFilterForTruncationToo();  // before ABI 3

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_FILTER_PROGRAM_H_
