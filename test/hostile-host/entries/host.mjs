// The host: does one entry of a table, and prints each thing that it learns as a line of JSON.
//
// usage: node host.mjs TABLE ENTRY WORLD    WORLD as JSON
import { setTimeout as sleep } from 'node:timers/promises'

const [table, name, world] = process.argv.slice(2)
const { entries } = await import(`./${table}.mjs`)
const entry = entries[name]
if (entry === undefined) throw new Error(`${table}.mjs has no entry '${name}'`)

/** Enough on a busy machine. A FIFO that nobody writes to must not hold up a host. */
const limitMs = 8_000
let isHeldUp = false

const describe = (error) => `${error?.code ?? error?.name}: ${error?.message ?? error}`

const tell = (label, value) => console.log(`${label}: ${JSON.stringify(value, asText)}`)

/** A secret must not hide in numbers. */
function asText(key, value) {
  return this[key] instanceof Uint8Array ? Buffer.from(this[key]).toString('latin1') : value
}

/** Does it, and tells what came of it. */
async function attempt(label, act) {
  const late = sleep(limitMs, { late: limitMs })
  const value = await Promise.race([(async () => await act())(), late]).catch((error) => ({
    error: describe(error),
  }))
  isHeldUp ||= value?.late !== undefined
  tell(label, value)
  return value
}

/** The same of what is nobody's to refuse: a host that cannot work proves nothing. */
async function works(label, act) {
  const value = await attempt(label, act)
  const failure =
    value?.error ?? value?.late ?? (/^\[(?:system error|invalid input)/.test(value) ? value : undefined)
  if (failure !== undefined) throw new Error(`${label}: ${JSON.stringify(failure)}`)
  return value
}

await entry({ ...JSON.parse(world), attempt, works, tell })
// A thread that waits for a FIFO keeps Node from ending.
if (isHeldUp) process.kill(process.pid, 'SIGKILL')
process.exit()
