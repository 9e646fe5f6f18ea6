// Full-screen programs that do not notice that there is no terminal, and wait for a key, or go on, until they are killed.
// Those that fail at once by themselves need no rule: nano, emacs, nvim, tmux, screen, mc, procps's top with options, …

import type { Argument } from '../rule.js'

export interface FullScreenProgram {
  /** Whether it needs a terminal with these arguments. What is not known for certain does not. */
  waits(args: readonly Argument[]): boolean
  /** What to type instead. */
  instead: string
  /** Whether it takes its keys from stderr where stdin is no terminal, and ends when there is nothing. */
  readsStderr?: true
}

const editFiles =
  'edit files without an editor: `sed -i`, `patch`, or `cat > FILE` with a here-document; Vim itself works without ' +
  "a terminal as `vim -es -c 'COMMAND' -c wq FILE`"

/** With any other option it may be a call that ends by itself: `-es`, `-c wq`, `--version`. */
const vimArgument =
  /^(?:[^-+].*|-[RMmbdnNCFHlZyvfoOpui]+\d*|--(?:|clean|noplugin|nofork|not-a-term)|\+(?:\d*|\/.*))$/s

const vim: FullScreenProgram = {
  waits: (args) => args.every(({ text }) => vimArgument.test(text)),
  instead: editFiles,
  readsStderr: true,
}

/** These end: `-g` when the output changes, `-e` when the command fails, `-q` when nothing changes any more. */
const watchEnds = /^(?:-[a-zA-Z]*[geqhv]|--(?:chg|err|eq|help|version))/

const watch: FullScreenProgram = {
  waits(args) {
    const command = args.findIndex(({ text }, index) => !/^-/.test(text) && !takesInterval(args[index - 1]))
    return command !== -1 && !args.slice(0, command).some(({ text }) => watchEnds.test(text))
  },
  instead: 'run the command once, or in a loop that ends: `for i in 1 2 3; do COMMAND; sleep 2; done`',
}

function takesInterval(option: Argument | undefined): boolean {
  return option?.text === '-n' || option?.text === '--interval'
}

/** None of `-b`, `-n` and `-h`, also among others; without these procps's top fails at once, and that of busybox goes on. */
const topOption = /^-[dpuUwHicSEeo][^bnhvl]*$/
const topOptionWithValue = /^-[dpuUwEeo]$/

const top: FullScreenProgram = {
  waits: (args) =>
    args.every(
      ({ text }, index) => topOption.test(text) || topOptionWithValue.test(args[index - 1]?.text ?? ''),
    ),
  instead: 'run `top -b -n1`, or `ps aux --sort=-%cpu | head`',
}

/** Only without arguments: some make it print once, and end. */
const monitor = (instead: string): FullScreenProgram => ({ waits: (args) => args.length === 0, instead })
const network = monitor('look at `cat /proc/net/dev`, twice for a rate, or at `ss -s`')
const diskUsers = monitor('run `iotop -b -n1`')

export const fullScreenPrograms: ReadonlyMap<string, FullScreenProgram> = new Map([
  ...['vi', 'vim', 'rvim', 'vimdiff', 'vim.tiny', 'vim.basic', 'vim.nox', 'vim.gtk3'].map(
    (name): [string, FullScreenProgram] => [name, vim],
  ),
  ['vimtutor', monitor(editFiles)],
  ['watch', watch],
  ['top', top],
  ['atop', monitor('run `atop 1 1`')],
  ['bmon', network],
  ['iftop', network],
  ['iotop', diskUsers],
  ['iotop-c', diskUsers],
  ['nethogs', monitor('run `nethogs -t -c 2`')],
  ['nload', network],
])
