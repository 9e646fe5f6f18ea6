// Judges the outcome of a fault: a correct result, a typed error, or a result that says what it lacks. Anything else is
// a defect.

/** @typedef {{ kind: 'correct' | 'error' | 'partial' | 'defect', text: string }} Verdict */

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other)

const without = (value, ...names) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

const correct = { kind: 'correct', text: 'as without the fault' }
const defect = (text) => ({ kind: 'defect', text })
const partial = (text) => ({ kind: 'partial', text })

/** Names of the same error: of another system call, or in Node's own list. */
const aliases = { EOPNOTSUPP: 'ENOTSUP', 'clone3 ENOMEM': 'EAGAIN' }

/** Errors that are not about the call that has failed, but about what its failure has ended. */
const unspecific = ['ERR_SUPERVISOR_LOST']

const judgeError = ({ code = 'no code', message }, { call, errno }) => {
  if (!code.startsWith('ERR_') || code === 'ERR_INTERNAL') return defect(`${code}: ${message}`)
  if (unspecific.includes(code)) return { kind: 'error', text: `\`${code}\`` }
  const step = /(?:^|: )([^:]+): E[A-Z0-9]+ \([^()]*\)/.exec(message)?.[1]?.replace(/ \/.*/, '')
  const names = [errno, aliases[errno] ?? errno, aliases[`${call} ${errno}`] ?? errno]
  const named = new RegExp(`: (?:${names.join('|')})(?: |$)`).test(message)
  return named && step !== undefined
    ? { kind: 'error', text: `\`${code}\` ${step}` }
    : defect(`\`${code}\` without ${errno}: ${message}`)
}

/** What a result may lack when it says so, by scenario. */
const shortfalls = {
  saved: (value, baseline) =>
    value.savedOutputError !== undefined &&
    same(
      without(value, 'savedOutputError', 'savedOutputBytes', 'savedSize'),
      without(baseline, 'savedOutputBytes', 'savedSize'),
    ) &&
    (value.savedSize ?? 0) === (value.savedOutputBytes ?? 0) &&
    'the file is missing or cut: `savedOutputError`',
  session: (value, baseline) =>
    value.sessionUnsaved !== undefined &&
    value.later.output === '\n' &&
    same(without(value, 'sessionUnsaved', 'later'), without(baseline, 'later')) &&
    'the session is as before: `sessionUnsaved`',
  adopted: (value, baseline) => {
    const parts = ['job', 'finally', 'survivors']
    const isRest = value.survivors?.length > 0 && same(without(value, ...parts), without(baseline, ...parts))
    if (isRest && !value.job) return 'survivors are listed, and no job'
    if (isRest && same(value.finally, baseline.finally)) return 'a job, with fewer survivors by name'
    return job(value, baseline)
  },
  background: (value, baseline) => job(value, baseline),
  handedOver: (value, baseline) => {
    const { output, exitCode } = baseline.finally
    const isWhole = value.output === output && value.exitCode === exitCode && value.finally === undefined
    if (value.backgroundError !== undefined && isWhole) return 'it stays in the foreground: `backgroundError`'
    return job(value, baseline)
  },
  killed: (value, baseline) => job(value, baseline),
}

/** What a signal to the supervisor ends: the command that it watches over. */
const judgeSignal = (errno, value) => {
  if (errno === 'SIGSTOP' && value.status === 'timed_out') return partial('`timed_out`, as its timeout says')
  if (value.finally?.status === 'lost') return partial('the job is `lost`')
  return undefined
}

const job = (value, baseline) => {
  if (value.finally?.error === undefined) return false
  if (!same(without(value, 'finally'), without(baseline, 'finally'))) return false
  const { status, lostBytes } = value.finally
  if (status === 'lost') return 'the job runs; how it ended is not known (`lost`)'
  return status === baseline.finally.status && lostBytes > 0 && 'the job runs; `lostBytes` of its output'
}

/** What else of a killed command may differ, when the kill has done its work all the same. */
const judgeValue = (fault, value, baseline) => {
  const { scenario, errno } = fault
  if (same(value, baseline)) return correct
  if (value.error !== undefined && value.status === 'error') return judgeError(value.error, fault)
  const signalled = errno.startsWith('SIG') ? judgeSignal(errno, value) : undefined
  if (signalled !== undefined) return signalled
  const shortfall = shortfalls[scenario]?.(value, baseline)
  return shortfall ? partial(shortfall) : defect(`another result: ${JSON.stringify(value)}`)
}

/** Without /proc nobody finds what has left the group of bash: it is given up after 15 seconds, and named. */
const isNamed = (fault, { before, after }, { value }, baseline) =>
  fault.count > 1 &&
  after.children === before.children &&
  after.fds === before.fds &&
  value?.survivors?.length > baseline.survivors.length &&
  same(without(value, 'survivors'), without(baseline, 'survivors'))

const isLeft = ({ before, after }) =>
  ['fds', 'threads', 'children', 'orphans'].some((name) => after[name] !== before[name])

/**
 * @param {import('./cases.mjs').Fault} fault
 * @param {object} result as test/faults/host/case.cjs gives it
 * @param {object} baseline what the scenario gives without a fault
 * @returns {Verdict}
 */
export const judge = (fault, result, baseline) => {
  const verdict = judgeOutcome(fault, result, baseline)
  const isRetried = fault.errno !== 'EINTR' || verdict.kind === 'correct' || verdict.kind === 'defect'
  return isRetried ? verdict : defect(`not tried again: ${verdict.text}`)
}

const judgeOutcome = (fault, { outcome, left, next, died }, baseline) => {
  if (died !== undefined) return defect(`the host died: ${JSON.stringify(died)}`)
  if (outcome.hung) return defect('hangs')
  if (left !== undefined && isNamed(fault, left, outcome, baseline))
    return partial('what cannot be found is given up after 15 s, and named as a survivor')
  if (left !== undefined && isLeft(left)) return defect(`left behind: ${JSON.stringify(left)}`)
  if (next !== undefined) return defect(`the next command: ${JSON.stringify(next)}`)
  if (outcome.thrown !== undefined) {
    return outcome.thrown.name === 'BashError'
      ? judgeError(outcome.thrown, fault)
      : defect(`thrown: ${JSON.stringify(outcome.thrown)}`)
  }
  return judgeValue(fault, outcome.value, baseline)
}
