// Asks the fault shim that this process runs under, see shim/fault-shim.c. Synchronous, so that nothing else is called between.
const { readSync, writeSync } = require('node:fs')

const fd = Number(process.env.FAULT_SHIM_FD)
// Not for commands: they have no use for it.
delete process.env.FAULT_SHIM_FD

const chunk = Buffer.alloc(4096)
let received = ''

const readLine = () => {
  for (;;) {
    const end = received.indexOf('\n')
    if (end >= 0) {
      const line = received.slice(0, end)
      received = received.slice(end + 1)
      return line
    }
    const size = readSync(fd, chunk)
    if (size === 0) throw new Error('the fault shim has gone')
    received += chunk.toString('utf8', 0, size)
  }
}

/** @returns {string} its answer, one line */
const ask = (request) => {
  writeSync(fd, `${request}\n`)
  return readLine()
}

const arm = ({ role, call, kind, nth, count, errno }) => {
  const answer = ask(`arm ${role} ${call} ${kind} ${nth} ${count} ${errno}`)
  if (answer !== 'ok') throw new Error(`arm ${call}: ${answer}`)
}

/** @returns {{ hits: number, detail: string }} */
const disarm = () => {
  const [, hits, detail = ''] = ask('disarm').split(' ')
  return { hits: Number(hits), detail }
}

/** Processes that have outlived their parents. */
const orphans = () => Number(ask('orphans').split(' ')[1])

/** @returns {{ role: string, call: string, kind: string, detail: string }[]} in the order of the calls */
const recorded = () => {
  const calls = []
  let line = ask('recorded')
  while (line !== '.') {
    const [role, call, kind, detail] = line.split(' ')
    calls.push({ role, call, kind, detail })
    line = readLine()
  }
  return calls
}

module.exports = { ask, arm, disarm, orphans, recorded }
