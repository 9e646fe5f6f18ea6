// The variables that keep a command from waiting: for a person, or in a sandbox for a network; and why each is set.

/** A variable given to each command. */
export interface DefaultVariable {
  name: string
  value: string
  /** Why it is set, for documentation. */
  reason: string
}

// git runs its editor through sh and prints this very text when it fails, so the arguments of `false` are the
// message. Programs that split it into words and execute it without a shell fail at once just the same.
const gitEditor =
  "false 'no editor in a non-interactive shell: use -m, -F or --no-edit, or GIT_EDITOR=true to keep the text'"
const gitSequenceEditor =
  "false 'no editor in a non-interactive shell: set GIT_SEQUENCE_EDITOR to a command that edits the todo file'"

/**
 * They replace what the host has under the same name: `EDITOR=vim` is right for the person at the host's terminal,
 * and nobody is there to use it. The caller's `set` replaces them in turn.
 *
 * GIT_SSH_COMMAND is left alone: it would override the user's core.sshCommand and with it the key to use.
 * SSH_ASKPASS keeps ssh from asking as well.
 */
export const nonInteractiveDefaults: readonly DefaultVariable[] = [
  {
    name: 'TERM',
    value: 'dumb',
    reason: 'there is no terminal: no cursor movement, no full-screen programs',
  },
  { name: 'PAGER', value: 'cat', reason: 'a pager waits for a key' },
  { name: 'GIT_PAGER', value: 'cat', reason: 'as PAGER; wins over core.pager' },
  { name: 'MANPAGER', value: 'cat', reason: 'as PAGER, for man' },
  { name: 'SYSTEMD_PAGER', value: 'cat', reason: 'as PAGER, for systemctl and journalctl' },
  {
    name: 'EDITOR',
    value: 'false',
    reason: 'an editor waits for a person: fail at once, the file unchanged',
  },
  { name: 'VISUAL', value: 'false', reason: 'as EDITOR, and read before it' },
  { name: 'GIT_EDITOR', value: gitEditor, reason: 'as EDITOR; wins over core.editor, and says what to do' },
  { name: 'GIT_SEQUENCE_EDITOR', value: gitSequenceEditor, reason: 'as GIT_EDITOR, for git rebase -i' },
  { name: 'GIT_TERMINAL_PROMPT', value: '0', reason: 'git fails where it would ask for a user or password' },
  { name: 'GIT_ASKPASS', value: 'false', reason: 'no password window of git; wins over core.askPass' },
  { name: 'GCM_INTERACTIVE', value: 'never', reason: 'no window of Git Credential Manager' },
  { name: 'SSH_ASKPASS', value: 'false', reason: 'ssh fails where it would ask' },
  {
    name: 'SSH_ASKPASS_REQUIRE',
    value: 'force',
    reason: 'ssh uses SSH_ASKPASS also without a display, and where a command makes itself a terminal',
  },
  { name: 'DEBIAN_FRONTEND', value: 'noninteractive', reason: 'packages take the default instead of asking' },
  { name: 'PIP_NO_INPUT', value: '1', reason: 'pip fails where it would ask' },
]

/** What a job with a terminal gets in their place; and what it does not get, which describes another terminal. */
export const terminalType = 'xterm-256color'
export const ofOtherTerminals = ['LINES', 'COLUMNS', 'NO_COLOR'] as const

/**
 * What keeps programs in a sandbox from trying for long to reach a network that is not there. The host's own values,
 * and the caller's, go before. None is the name of a file: what lies in the package a command of another root may have
 * written. So wget, which takes such settings from files only, has none.
 */
export const restrictedDefaults: Readonly<Record<string, string>> = {
  npm_config_offline: 'true',
  // What offline does not keep from asking: `npm ping`
  npm_config_fetch_retries: '0',
  CARGO_NET_RETRY: '0',
  // With none pip would not say that there was no connection
  PIP_RETRIES: '1',
}
