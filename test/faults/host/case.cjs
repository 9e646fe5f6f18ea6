// Runs one scenario with one fault: what it gave, what it left behind, and whether the next command runs as usual.
const { readdirSync, readFileSync } = require('node:fs')
const { constants } = require('node:os')
const { setTimeout: delay } = require('node:timers/promises')
const shim = require('./shim.cjs')

// Above the 15 seconds that killing may take, on a loaded machine.
const DEADLINE_MS = 30_000
const SETTLE_MS = 20_000

const withDeadline = async (promise) => {
  const hung = Symbol('hung')
  const timer = new AbortController()
  const late = delay(DEADLINE_MS, hung, { signal: timer.signal }).catch(() => hung)
  try {
    const value = await Promise.race([promise, late])
    return value === hung ? { hung: true } : { value }
  } catch (error) {
    const { code, step, errno, path, message, name } = error
    return { thrown: { name, code, step, errno, path, message } }
  } finally {
    timer.abort()
  }
}

/** Children of this process, zombies included. A look through all of /proc would be answered call by call. */
const countChildren = () =>
  readdirSync('/proc/self/task')
    .map((thread) => {
      try {
        return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).length
      } catch {
        return 0 // the thread has ended
      }
    })
    .reduce((sum, count) => sum + count, 0)

const held = () => ({
  fds: readdirSync('/proc/self/fd').length,
  threads: readdirSync('/proc/self/task').length,
  children: countChildren(),
  orphans: shim.orphans(),
})

const isSame = (one, other) => Object.keys(one).every((key) => one[key] === other[key])

/** What is held once that is as it was, or when the time is up. */
const settled = async (wanted) => {
  const end = Date.now() + SETTLE_MS
  for (;;) {
    const now = held()
    if (isSame(now, wanted) || Date.now() >= end) return now
    await delay(5)
  }
}

/** What is held once nothing runs or ends any more: several looks show the same. */
const atRest = async () => {
  let last = held()
  for (let same = 0; same < 10; ) {
    await delay(10)
    const now = held()
    same = now.children === 0 && now.orphans === 0 && isSame(now, last) ? same + 1 : 0
    last = now
  }
  return last
}

let before

/** Twice without a fault: threads that start once, code that is compiled, descriptors that are opened once. */
const warmUp = async (scenario) => {
  for (let i = 0; i < 2; i += 1) {
    await scenario.run()
    await scenario.look()
  }
  before = await atRest()
}

/** A signal in place of an error: fault-shim sends it, and the call goes on. */
const SIGNALS = 10_000

const numberOf = ({ errno }) =>
  errno.startsWith('SIG') ? SIGNALS + constants.signals[errno] : constants.errno[errno]

/**
 * @param {{ role: string, call: string, kind: string, nth: number, count: number, errno: string }} fault
 * @returns what happened: `hits` 0 when the call was not made; `left` when something was not as before
 */
const runCase = async (scenario, fault) => {
  shim.arm({ ...fault, errno: numberOf(fault) })
  const run = await withDeadline(scenario.run())
  const { hits, detail } = shim.disarm()
  // Looks without the fault: what counts is what others can see afterwards.
  const outcome = run.value === undefined ? run : await withDeadline(scenario.look())
  if (run.hung || outcome.hung) return { hits, detail, outcome, left: held() }
  if (scenario.cold) before = await atRest()
  const after = await settled(before)
  const next = await withDeadline(scenario.next())
  return {
    hits,
    detail,
    outcome,
    ...(!isSame(after, before) && { left: { before, after } }),
    ...(next.value !== true && { next }),
  }
}

module.exports = { runCase, warmUp }
