// Linux capabilities of the command (capabilities(7)).
#ifndef BASHWARD_SANDBOX_CAPABILITIES_H_
#define BASHWARD_SANDBOX_CAPABILITIES_H_

namespace bashward::sandbox {

// Drops CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_PERFMON for good. Without them a root process cannot read the
// memory or environment of one that has more capabilities than itself (ptrace(2), "Ptrace access mode
// checking"). False with errno, EPERM when execve would give them back: root without CAP_SETPCAP cannot take
// them out of its bounding set. A process that has none of them has nothing to drop: true.
bool DropIntrospectionCapabilities();

// Drops all but CAP_DAC_READ_SEARCH; without that, root could not read what other users keep private. False
// with errno.
bool KeepOnlyReadSearch();
// Keeps CAP_DAC_OVERRIDE, too; without that, root could not write what belongs to other users. For a command
// whose rulesets say where it may write.
bool KeepOnlyFileAccess();

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_CAPABILITIES_H_
