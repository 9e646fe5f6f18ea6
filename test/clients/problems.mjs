// Whether a client was driven as it had to be, and what holds of every client.
import { hasEnd, runsOf } from './acts.mjs'

/** @typedef {import('./outcomes.mjs').Outcome} Outcome */

/** What a model has to be told, whatever the client makes of it. */
const told = {
  plain: /hello|finished/,
  silent: /\[no output\]/,
  failing: /\[command failed: exit code 3\]/,
  long: /00001/,
  longFailing: /\[command failed: exit code 3\]/,
  refused: /\[command rejected: git-add-blind\]/,
  background: /bash_[a-z0-9]{6}/,
  read: /started/,
  slow: /STILL RUNNING after 50s/,
  slowEnd: /finished/,
  denied: /\[command failed: .*Read-only|\[sandbox: |denied/i,
}

/**
 * Whether the run took place: a client may ask its model before it has the tools of a server.
 *
 * @param {Pick<Outcome, 'acts' | 'started'> & { build: string, run: string }} outcome
 */
export function wasDriven({ build, run, acts, started }) {
  const { acts: wanted, signal } = runsOf(build)[run]
  return signal === undefined ? Object.keys(wanted).every((act) => acts[act] !== undefined) : started === true
}

/**
 * @param {Outcome & { name: string, build: string, run: string, missing?: string, said: string }} outcome
 * @returns {string[]} in words
 */
export function problemsOf(outcome) {
  const { build, run, acts, missing, started, ownShell, left, commandGoneMs, said } = outcome
  const { acts: wanted, signal } = runsOf(build)[run]
  const problems = []
  if (missing !== undefined) problems.push(`there is no tool ${missing}`)
  if (signal !== undefined) {
    if (!started) problems.push(`the command did not start: ${said}`)
    else if (commandGoneMs === undefined) problems.push(`the command went on after ${signal}`)
  } else {
    const absent = Object.keys(wanted).filter((act) => acts[act] === undefined)
    if (absent.length > 0) problems.push(`not carried out: ${absent.join(', ')}: ${said}`)
  }
  if (ownShell.length > 0) problems.push(`its own shell is there: ${ownShell.join(', ')}`)
  if (left.length > 0) problems.push(`left running: ${left.join('; ')}`)
  // The builds before had no such promise.
  if (build === 'before') return problems
  for (const [act, { text }] of Object.entries(acts)) {
    if (told[act] !== undefined && !told[act].test(text) && run !== 'patient') {
      problems.push(`${act}: the model reads ${JSON.stringify(text.slice(0, 300))}`)
    }
  }
  // With its configuration a client cuts nothing more, or at least not the end.
  for (const act of run === 'calls' ? ['long', 'longFailing'] : []) {
    if (acts[act] !== undefined && !hasEnd(acts[act])) problems.push(`${act}: the end is not shown`)
  }
  return problems
}
