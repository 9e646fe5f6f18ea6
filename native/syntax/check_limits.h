/* What the C code around tree-sitter calls where it may be left: ParseMemory::CheckLimits. */
#ifndef BASHWARD_SYNTAX_CHECK_LIMITS_H_
#define BASHWARD_SYNTAX_CHECK_LIMITS_H_

#ifdef __cplusplus
extern "C"
#endif
    void
    bashward_check_limits(void);

#endif /* BASHWARD_SYNTAX_CHECK_LIMITS_H_ */
