// Turns the calls of a run without faults into the faults to try: each call that may fail, with each error.
import { exemptionOf, policyOf } from './calls.mjs'
import { detailOf } from './details.mjs'

/**
 * @typedef {object} Fault
 * @property {string} scenario
 * @property {string} role the process
 * @property {string} call
 * @property {string} kind the number of its operation or what its descriptor is: what the shim tells calls apart by
 * @property {string} detail what the call is about
 * @property {number} nth of the calls of this name and kind in this process
 * @property {number} count how many from there on
 * @property {string} errno or the signal that comes in place of it
 */

/** Processes of ours; `main` and `pool` are Node's, but for the first command of a host and for rules. */
const roles = ['engine', 'file', 'launch', 'supervisor', 'shell']

/** Calls in a loop are hit at the first, the second, and the last turn. */
const positions = (places) => [...new Set([places[0], places[1], places.at(-1)])].filter(Boolean)

/** Calls in the first command of a host that are the engine's, though in a thread of Node's. */
const startsEngine = ({ role, call, detail }) =>
  role === 'main' &&
  (['epoll_create1', 'eventfd2', 'clone3'].includes(call) || (call === 'openat' && detail === '/dev/null'))

/** Rules for reading are made in Node's thread, before the command is started. */
const makesRules = ({ call }) => call.startsWith('landlock_')

/** The calls of one scenario, in groups of those that are about the same. */
const groupsOf = (calls, cold) => {
  const counts = new Map()
  const groups = new Map()
  for (const { role, call, kind, detail: given } of calls) {
    const name = `${role} ${call} ${kind}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    const site = { role, call, kind, detail: detailOf(call, given) }
    if (cold ? !startsEngine(site) : !roles.includes(role) && !makesRules(site)) continue
    const key = JSON.stringify(site)
    groups.set(key, { ...site, places: [...(groups.get(key)?.places ?? []), nth] })
  }
  return [...groups.values()]
}

/** Before bash runs: the same for all kinds of commands. */
const starting = new Set(
  'pipe2 socketpair clone execve execveat setsid chdir dup2 dup3 close_range mmap pidfd_open sendmsg signalfd4 recvfrom'.split(
    ' ',
  ),
)

/**
 * @param {string} scenario
 * @param {{ role: string, call: string, kind: string, detail: string }[]} calls
 * @param {{ cold: boolean, tried?: Set<string>, signals?: string[] }} options tried: sites of another scenario, to leave those of starting out
 * @returns {{ cases: Fault[], exempt: object[], unknown: object[], sites: string[] }} unknown: calls that calls.mjs does
 *   not know
 */
export const casesOf = (scenario, calls, { cold, tried, signals = [] }) => {
  const cases = []
  const sites = []
  const exempt = []
  const unknown = []
  for (const { role, call, kind, detail, places } of groupsOf(calls, cold)) {
    const site = { role, call, kind, detail }
    const key = JSON.stringify(site)
    sites.push(key)
    if (role === 'supervisor') {
      for (const errno of signals) {
        for (const nth of positions(places)) cases.push({ scenario, ...site, nth, count: 1, errno })
      }
    }
    if (starting.has(call) && tried?.has(key)) continue
    const policy = policyOf(site)
    if (policy === undefined) {
      const reason = exemptionOf(site)
      if (reason === undefined) unknown.push(site)
      else exempt.push({ ...site, reason })
      continue
    }
    for (const errno of policy.errnos) {
      for (const nth of positions(places)) cases.push({ scenario, ...site, nth, count: 1, errno })
    }
    for (const errno of policy.lasting ?? []) {
      cases.push({ scenario, ...site, nth: places[0], count: 1_000_000, errno })
    }
  }
  return { cases, exempt, unknown, sites }
}
