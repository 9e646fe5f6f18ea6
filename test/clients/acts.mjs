// What each client is driven through: the calls of its model, and what is looked at in what the model is shown.

/** @typedef {import('./model-server.mjs').Shown} Shown */

/** The last line of an output of 200 KB. */
const lastLine = '33333'

/** Whether a model is shown the end of that output: some clients show it the command, too. */
export const hasEnd = ({ text }) => /33332\D+33333/.test(text)

const bash = (command, more = {}) => ({ tool: 'bash', input: { command, ...more } })

const idIn = (texts) => {
  // The JSON of some clients escapes what stands in it.
  const found = texts.map((text) => /\bbash_[a-z0-9]{6,}\b/.exec(text.replaceAll('bash_output', ''))?.[0])
  return found.findLast((id) => id !== undefined) ?? 'bash_unknown'
}

const read = (shown, more = {}) => ({
  tool: 'bash_output',
  input: { bash_id: idIn(shown.map(({ text }) => text)), ...more },
})

/**
 * By their names, in their order.
 *
 * @type {Record<string, (shown: Shown[]) => { tool: string, input: object }>}
 */
export const acts = {
  plain: () => bash('echo hello'),
  silent: () => bash('true'),
  failing: () => bash('echo out; echo problem >&2; exit 3'),
  long: () => bash(`seq -w 1 ${lastLine}`),
  longFailing: () => bash(`seq -w 1 ${lastLine}; exit 3`),
  refused: () => bash('git add .'),
  background: () => bash('echo started; sleep 300', { mode: 'background' }),
  read: (shown) => read(shown),
  kill: (shown) => ({ tool: 'kill_bash', input: { bash_id: idIn(shown.map(({ text }) => text)) } }),
  slow: () => bash('sleep 70; echo finished', { mode: 'slow' }),
  slowEnd: (shown) => read(shown, { wait_ms: 40_000 }),
}

/**
 * One start of a client.
 *
 * @typedef {object} Run
 * @property {string[]} options of `bashward mcp`
 * @property {boolean} [bounded] whether the server is told what the client needs besides, such as `--max-output`
 * @property {Record<string, (shown: Shown[]) => { tool: string, input: object }>} acts
 * @property {NodeJS.Signals} [signal] what ends the client when its command runs
 */

/** The command of a run that a signal ends: its processes are found by it. */
export const marked = 'sleep 4711'

const ended = { running: () => bash(`${marked} & ${marked}`, { mode: 'slow' }) }

/**
 * @param {'after' | 'before'} build
 * @returns {Record<string, Run>} by their names
 */
export const runsOf = (build) => {
  const { slow, slowEnd, ...quick } = acts
  const { plain, silent, failing, long, longFailing } = acts
  const codeMode = { options: [], bounded: true, acts: { plain, silent, failing, long, longFailing } }
  if (build === 'before') return { calls: { options: [], acts: quick }, codeMode }
  const patient = { plain: () => bash('sleep 75; echo finished', { mode: 'slow' }) }
  return {
    calls: { options: [], bounded: true, acts },
    codeMode,
    whole: { options: [], acts: { long } },
    patient: { options: ['--background-after', '600'], acts: patient },
    restricted: { options: ['--restricted'], acts: { plain: acts.plain, denied: () => bash('touch file') } },
    SIGINT: { options: [], acts: ended, signal: 'SIGINT' },
    SIGKILL: { options: [], acts: ended, signal: 'SIGKILL' },
  }
}

/** Those that a client is driven through. */
export const runNamesOf = (build, { codeMode }) =>
  Object.keys(runsOf(build)).filter((name) => name !== 'codeMode' || codeMode !== undefined)
