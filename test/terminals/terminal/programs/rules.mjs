// How others tell that a program waits, from what it has printed: what is known of their rules, written anew. For the
// comparison only.

/** What a program may have a REPL's prompt from, as DesktopCommander 0.2.52 lists them. */
const replPrompts = [
  ...['>>> ', '... ', '> ', '+ ', 'julia> ', ' '.repeat(7), '$ ', '# ', '% ', 'bash-', 'zsh-'],
  ...['mysql> ', '    -> ', '=# ', '-# ', 'redis> '],
]

/**
 * DesktopCommander looks for one anywhere in the last line of the output, as it came.
 *
 * @param {string} output
 */
const desktopCommander = (output) => {
  if (output.trim() === '') return false
  const lastLine = output.slice(output.lastIndexOf('\n') + 1)
  return replPrompts.some((prompt) => lastLine.includes(prompt))
}

const [yes, no] = ['y(es)?', 'n(o)?']
/** What VS Code 1.12x takes for a question in the line of the cursor. */
const certainQuestions = {
  'the prompt of a debugger': /^\((Pdb|gdb|lldb)\)\s*$/,
  'labels of single letters in brackets': /\[[^\]]\][^[]*(\(default is\s+"[^"]+"\):)?\s+$/,
  'yes or no in brackets': new RegExp(
    `[([]\\s*(${yes}\\s*/\\s*${no}|${no}\\s*/\\s*${yes})\\s*[\\])]\\s+$`,
    'i',
  ),
  'yes or no after a question mark or colon': new RegExp(
    `[?:]\\s*[([]?\\s*${yes}\\s*/\\s*${no}\\s*[\\])]?\\s+$`,
    'i',
  ),
  'yes by default': /\(y\) +$/i,
  'a default in parentheses': /:\s+\([^)]*\) +$/,
  'the end in a pager': /\(END\)$/,
  'a password': /password( for [^:]+)?:\s*$/i,
  'any key': /press a(ny)? key/i,
  'a menu of a prompt library': /^\s*\?.*[›❯▸▶]\s*$/,
}
/** What it takes for one while the command is known to run. */
const likelyQuestions = {
  'a colon': /: +$/,
  'a question mark': /\? *(\([a-z\s]+\))? +$/i,
}

/** @param {Record<string, RegExp>[]} questions @returns {(line: string) => boolean} */
const anyOf = (...questions) => {
  const patterns = questions.flatMap((question) => Object.values(question))
  return (line) => patterns.some((pattern) => pattern.test(line))
}
const certain = anyOf(certainQuestions)
const likely = anyOf(certainQuestions, likelyQuestions)

/** Each tells from the output, and the line of the cursor on the screen, whether the program waits. */
export const rules = {
  DesktopCommander: (/** @type {string} */ output) => desktopCommander(output),
  'VS Code': (/** @type {string} */ _, /** @type {string} */ line) => certain(line),
  'VS Code, likely': (/** @type {string} */ _, /** @type {string} */ line) => likely(line),
}
