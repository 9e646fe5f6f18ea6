// The process that a contender is measured in, so that neither the harness nor another metric disturbs it.
// Requests are JSON lines on stdin, {id, operation, …}; answers are on stdout, {id, value} or {id, error}.

import readline from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ballast } from './ballast.mjs'
import { calls } from './calls.mjs'
import { check } from './check.mjs'
import { concurrency } from './concurrency.mjs'
import { joinCgroup } from './cpu-time.mjs'
import { jobs, session } from './jobs.mjs'
import { abort, begin, settled } from './kill.mjs'
import { latency } from './latency.mjs'
import { redact } from './redact.mjs'
import { restricted } from './restricted.mjs'
import { stream } from './stream.mjs'
import { workspace } from './workspace.mjs'

const SWEEP_MS = 50

const operations = {
  ballast,
  load,
  calls,
  check,
  jobs,
  session,
  latency,
  concurrency,
  redact,
  restricted,
  stream,
  begin,
  abort,
  settled,
  workspace,
}
const loaded = new Map()

/** @param {string} name a file in contenders/, without its ending */
function contender(name) {
  if (!loaded.has(name)) loaded.set(name, importContender(name))
  return loaded.get(name)
}

async function importContender(name) {
  const module = await import(`../contenders/${name}.mjs`)
  await module.default.load?.()
  return module.default
}

async function load({ contender: name }) {
  await contender(name)
  return {}
}

async function answer({ id, operation, ...request }) {
  let reply
  try {
    const target = request.contender === undefined ? undefined : await contender(request.contender)
    // So that no contender pays for another's garbage. V8's threads go on sweeping for a while.
    globalThis.gc()
    await sleep(SWEEP_MS)
    reply = { id, value: await operations[operation](request, target) }
  } catch (error) {
    reply = { id, error: String(error?.message ?? error) }
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`)
}

joinCgroup()
for await (const line of readline.createInterface({ input: process.stdin })) answer(JSON.parse(line))

// The harness has closed stdin or is gone. Commands that still run do not keep this process.
for (const target of loaded.values()) {
  await target.then((contender) => contender.close?.()).catch(() => {})
}
process.exit(0)
