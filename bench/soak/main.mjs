// npm run soak: thousands of commands of every kind in one host, which must hold no more at the end than at the
// start.

import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeMachine } from '../harness/machine.mjs'
import { chart } from './chart.mjs'
import { judge } from './growth.mjs'
import { parseOptions, USAGE } from './options.mjs'
import { page } from './page.mjs'
import { soak } from './run.mjs'

const results = fileURLToPath(new URL('../results/', import.meta.url))
const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

const show = ({ commands, seconds, rssBytes, fds, threads, children, jobs, jobBytes }) =>
  `${String(commands).padStart(7)} commands  ${seconds.toFixed(0).padStart(5)} s  ` +
  `RSS ${(rssBytes / 2 ** 20).toFixed(1)} MiB  fds ${fds}  threads ${threads}  children ${children}  ` +
  `jobs ${jobs} (${(jobBytes / 1024).toFixed(0)} KiB)`

async function main() {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const machine = describeMachine()
  const samples = []
  const end = await soak(options, (sample) => {
    samples.push(sample)
    console.log(show(sample))
  })
  const verdicts = judge(samples)
  const directory = options.output ?? results
  fs.mkdirSync(directory, { recursive: true })
  const found = { machine, ...end, verdicts, samples }
  fs.writeFileSync(path.join(directory, 'soak.json'), `${JSON.stringify(found, null, 2)}\n`)
  for (const target of options.publish ? [directory, docs] : [directory]) {
    fs.writeFileSync(path.join(target, 'soak.svg'), chart(samples))
  }
  if (options.publish) fs.writeFileSync(path.join(docs, 'soak.md'), page(found, 'soak.svg'))

  console.log(
    Object.entries(end.kinds)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', '),
  )
  for (const { name, first, last, grown, text } of verdicts) {
    console.log(
      `${grown ? 'GROWN' : 'flat '}  ${name}: ${first} to ${last}${text === undefined ? '' : `, ${text}`}`,
    )
  }
  for (const text of end.unexpected) console.log(`unexpected: ${text}`)
  console.log(`${path.join(directory, 'soak.svg')}, soak.json`)
  return verdicts.some(({ grown }) => grown) || end.unexpected.length > 0 ? 1 : 0
}

main().then(
  (status) => {
    process.exitCode = status
  },
  (error) => {
    console.error(
      error instanceof RangeError || error instanceof TypeError ? `${error.message}\n\n${USAGE}` : error,
    )
    process.exitCode = 2
  },
)
