// A command that is refused, and what its result is; and a rule of a host's own.
import type { SafetyRule } from '../../lib/index.js'

/** Should it run all the same, git has no repository. */
export const refused = 'GIT_DIR=/no-such-directory git add -A'

export const rejected = {
  status: 'rejected',
  output: '',
  exitCode: null,
  signal: null,
  outputBytes: 0,
  usage: null,
  survivors: [],
  enforced: [],
  rejection: { rule: 'git-add-blind', match: expect.objectContaining({ text: expect.any(String) }) },
  error: { code: 'ERR_COMMAND_REJECTED', message: expect.any(String) },
}

/** Refuses the program `touch`. */
export const noTouch: SafetyRule = {
  name: 'no-touch',
  applies: ({ program, words }) => (program === 'touch' ? words[0] : null),
  explain: ({ words }) => `${words.map(({ text }) => text).join(' ')} makes a file; ask first`,
}
