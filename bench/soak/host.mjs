// The host of a soak: runs rounds of commands, a bounded number at a time, and after each round, when nothing runs,
// takes a sample of what it holds. Prints samples and the end as JSON lines.

import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { kindsOf } from './kinds.mjs'

const require = createRequire(import.meta.url)
const bashward = require('../../dist/index.js')
const { holdings, residentBytes } = require('../../test/fixtures/measure.cjs')

/** Commands between two samples. */
const ROUND = 200
const SETTLE_MS = 30_000

const report = (value) => fs.writeSync(1, `${JSON.stringify(value)}\n`)

const { temporary, concurrency, minutes, commands } = JSON.parse(fs.readFileSync(0, 'utf8'))
const { kinds, weights, lasting, tidy, close } = await kindsOf(bashward, temporary)
const counts = Object.fromEntries(Object.keys(kinds).map((name) => [name, 0]))
const unexpected = []
const startedAt = performance.now()
let done = 0

async function one() {
  const name = weights[done % weights.length]
  done += 1
  counts[name] += 1
  try {
    const complaint = await kinds[name]()
    if (complaint !== undefined) unexpected.push(`${name}: ${complaint}`)
  } catch (error) {
    unexpected.push(`${name}: ${error.stack}`)
  }
}

async function round(size) {
  const until = done + size
  const lane = async () => {
    while (done < until) await one()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

/** What is held once no command is left and several looks show the same; the last look when the time is up. */
async function settled() {
  const end = Date.now() + SETTLE_MS
  let last = holdings()
  for (let same = 0; same < 5 && Date.now() < end; ) {
    await delay(20)
    const now = holdings()
    const isSame = now.fds === last.fds && now.threads === last.threads && now.children <= lasting
    same = isSame ? same + 1 : 0
    last = now
  }
  return last
}

function jobDirectory() {
  const directory = path.join(temporary, 'jobs')
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : []
  const jobs = names.filter((name) => name.startsWith('bash_'))
  const files = jobs.flatMap((job) =>
    fs.readdirSync(path.join(directory, job)).map((name) => path.join(directory, job, name)),
  )
  return { jobs: jobs.length, jobBytes: files.reduce((sum, file) => sum + fs.statSync(file).size, 0) }
}

async function sample() {
  // The tools do this every ten minutes.
  await tidy()
  const { fds, threads, children } = await settled()
  const seconds = (performance.now() - startedAt) / 1000
  return { commands: done, seconds, fds, threads, children, rssBytes: residentBytes(), ...jobDirectory() }
}

const isOver = () => done >= commands || performance.now() - startedAt >= minutes * 60_000

report({ sample: await sample() })
while (!isOver() && unexpected.length < 20) {
  await round(Math.min(ROUND, commands - done))
  report({ sample: await sample() })
}
close()
const own = ['jobs', 'saved', 'secret', 'workspace']
const left = fs.readdirSync(temporary).filter((name) => !own.includes(name))
const saved = path.join(temporary, 'saved')
report({ end: { kinds: counts, unexpected, temporary: [...left, ...fs.readdirSync(saved)] } })
