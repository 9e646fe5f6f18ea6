// The function `trap` of a session's shell: the state is saved in the EXIT trap, and this keeps a user's own EXIT
// trap beside it. Everything else goes on to the builtin.

import { quote } from '../../base/util/bash-quotes.js'
import { bash, exitTrap, userExitTrap } from './shell-code.js'

// Runs as a DEBUG trap, before the caller's next command and in the caller's scope: a RETURN trap set in our
// function would run at once, when that returns. The user's DEBUG trap, whose place it has taken, runs after it.
const setReturnTrap = bash`
\builtin trap -- "\${__bashward_DEBUG-}" DEBUG
\builtin trap -- "$__bashward_RETURN" RETURN
\builtin eval -- "\${__bashward_DEBUG-}"`

// The builtin's errors would name the prologue and a line of it: they are told again, of the caller.
const tryTrap = bash`
\builtin trap "\${__bashward_call[@]}" 2>&- || {
  __bashward_status=$?
  __bashward_value=$(\builtin trap "\${__bashward_call[@]}" 2>&1 >&-)
  [[ $__bashward_value == trap:* ]] ||
    __bashward_value="\${BASH_SOURCE[1]:-$0}: line \${BASH_LINENO[0]}: trap: \${__bashward_value#*: trap: }"
  \builtin printf '%s\n' "$__bashward_value" >&2
}`

const callTrap = (args: string) => `__bashward_call=(${args}); \\builtin eval -- "$__bashward_try"`

const readOptions = bash`
__bashward_try=${quote(tryTrap)}
__bashward_all=("$@")
while (($#)); do
  case $1 in
  --) \builtin shift; \builtin break ;;
  -p) __bashward_list=y; \builtin shift ;;
  -?*) ${callTrap('"${__bashward_all[@]}"')}; \builtin return "$__bashward_status" ;;
  *) \builtin break ;;
  esac
done`

const listTraps = bash`
if [[ $__bashward_list ]] || ((\${#__bashward_all[@]} == 0)); then
  \builtin set -B
  (($#)) || \builtin set -- EXIT {1..64} DEBUG ERR RETURN
  for __bashward_signal in "$@"; do
    __bashward_name=\${__bashward_signal^^}
    [[ $__bashward_name != 0 ]] || __bashward_name=EXIT
    if [[ $__bashward_name == @(DEBUG|ERR|RETURN) || \${__bashward-} && $__bashward_name == EXIT ]]; then
      __bashward_value=__bashward_$__bashward_name
      [[ \${!__bashward_value+set} ]] || \builtin continue
      __bashward_value=\${!__bashward_value}
      \builtin printf "trap -- '%s' %s\n" "\${__bashward_value//$__bashward_quote/"$__bashward_quoted"}" "$__bashward_name"
    else
      ${callTrap('-p "$__bashward_signal"')}
    fi
  done
  \builtin return "$__bashward_status"
fi`

// A lone argument, and a first one that is a signal's number, is not an action: all are to be reset.
const readAction = bash`
if (($# > 1)) && [[ $1 != @([0-9]|[1-5][0-9]|6[0-4]) ]]; then
  __bashward_action=$1
  \builtin shift
fi`

const leaveParentsTraps = bash`
if [[ \${__bashward-} && $BASHPID != "$__bashward" ]]; then
  __bashward=
  \builtin unset -v __bashward_EXIT __bashward_DEBUG __bashward_ERR __bashward_RETURN
fi`

const setTraps = bash`
for __bashward_signal in "$@"; do
  __bashward_name=\${__bashward_signal^^}
  case $__bashward_name:$__bashward_action in
  0:*|EXIT:*)
    if [[ -z \${__bashward-} ]]; then
      \builtin trap -- "$__bashward_action" EXIT
    elif [[ $__bashward_action == - ]]; then
      \builtin unset -v __bashward_EXIT
      \builtin trap -- ${quote(exitTrap)} EXIT
    else
      __bashward_EXIT=$__bashward_action
      \builtin trap -- ${quote(userExitTrap)} EXIT
    fi ;;
  DEBUG:-|ERR:-|RETURN:-)
    \builtin unset -v "__bashward_$__bashward_name"
    \builtin trap '' "$__bashward_name" ;;
  DEBUG:*)
    __bashward_DEBUG=$__bashward_action
    __bashward_last=\${__bashward_last:-$__bashward_action} ;;
  ERR:*)
    __bashward_ERR=$__bashward_action
    \builtin trap -- "$__bashward_action" ERR ;;
  RETURN:*)
    __bashward_RETURN=$__bashward_action
    __bashward_last=${quote(setReturnTrap)} ;;
  *)
    if ((\${#__bashward_all[@]} == 1)); then
      ${callTrap('"$__bashward_signal"')}
    else
      ${callTrap('-- "$__bashward_action" "$__bashward_signal"')}
    fi ;;
  esac
done`

// Last, or a DEBUG trap would see the rest of our function.
const finish = bash`
if [[ \${__bashward_last+set} ]]; then
  \builtin trap -- "$__bashward_last" DEBUG
else
  \builtin return "$__bashward_status"
fi`

const body = [readOptions, listTraps, readAction, leaveParentsTraps, setTraps, finish].join('\n')

/**
 * Defines `trap`. `__bashward` is the process id of the session's shell; a subshell that sets a trap empties it and
 * is on its own from there, and where it is not set the function has been carried to a foreign shell.
 *
 * A function does not see ERR, DEBUG and RETURN traps of its caller, and those that it resets come back when it
 * returns (execute_function in execute_cmd.c). So they are remembered for listing, and reset by ignoring them.
 */
export const trapFunction = bash`
trap() {
  { builtin local -; builtin set +euvxk; } 2>&-
  builtin local __bashward_all __bashward_list __bashward_action=- __bashward_signal __bashward_name
  builtin local __bashward_call __bashward_try __bashward_value __bashward_status=0 __bashward_last __bashward_quote="'" __bashward_quoted="'\\''"
  builtin eval ${quote(body)}
}
`
