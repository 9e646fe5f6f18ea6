// Random sequences of tokens. What is allowed of them is run, by every program that may be behind the name.

import { spawnSync } from 'node:child_process'
import { runBounded } from './bounded.mjs'
import { descriptorScript, descriptorsAround, openedBefore } from './descriptors.mjs'
import { randomFrom } from './random.mjs'
import * as tokens from './tokens.mjs'

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`
const found = new Map()
const exists = (program) => {
  if (!found.has(program)) found.set(program, spawnSync('which', [program], { stdio: 'ignore' }).status === 0)
  return found.get(program)
}
const withBusybox = (name, others) => [...others, ...(exists('busybox') ? [`busybox ${name}`] : [])]

const sequence = (random, tokens) => {
  let text = ''
  for (let count = 3 + random.below(12); count > 0; count--) text += random.pick(tokens)
  return text
}

/** Each makes what is judged, and what is run if that is allowed. */
const kinds = {
  shell: (random) => {
    const begin = random.chance(0.5) ? 'ls ' : ''
    const script = random.chance(0.5) ? descriptorScript(random) : begin + sequence(random, tokens.shell)
    const mixed = random.chance(0.1) ? script + sequence(random, tokens.shell) : script
    return { judged: mixed, run: [mixed] }
  },
  awk: (random) => {
    const begin = random.chance(0.6) ? '{ print ' : ''
    const end = random.chance(0.6) ? ' }' : ''
    const script = quote(begin + sequence(random, tokens.awk) + end)
    const programs = withBusybox('awk', ['mawk', 'gawk'].filter(exists))
    return inDescriptors(random, 'awk', programs, `${script} README.md`)
  },
  sed: (random) => {
    const script = quote(sequence(random, tokens.sed))
    return inDescriptors(random, 'sed', withBusybox('sed', ['sed', 'sed -n']), `${script} README.md`)
  },
  format: (random) => {
    const command = random.pick([
      ...['git log --format=', 'git show -s --pretty=', 'git stash list --format=', 'git reflog --format='],
      ...[
        'git rev-list --format=',
        'git diff-tree -s --format=',
        'git shortlog --group=',
        'git shortlog --group ',
      ],
      ...[
        'git for-each-ref --format=',
        'git tag -l --format=',
        'git branch --format=',
        'git for-each-ref --sort=',
      ],
    ])
    const judged = `${command}${quote(sequence(random, tokens.format))} HEAD`
    return { judged, run: [judged] }
  },
}

function inDescriptors(random, name, programs, rest) {
  const around = random.chance(0.4) ? descriptorsAround(random) : (command) => command
  return { judged: around(`${name} ${rest}`), run: programs.map((program) => around(`${program} ${rest}`)) }
}

export const soupKinds = Object.keys(kinds)

/** What may do something: the rest need not be run. */
const isInteresting = /pwned|[>|%]|-delete/
const batchSize = 100

/**
 * @param {{ kind: string, seed: number, seconds: number, judge: (command: string) => unknown, copy: import('./copies.mjs').Copy }} plan
 */
export const soup = async ({ kind, seed, seconds, judge, copy }) => {
  const random = randomFrom(seed)
  const until = performance.now() + seconds * 1000
  const faults = []
  let generated = 0
  let ran = 0
  let batch = []
  const run = (cases) => {
    const commands = cases.flatMap((each) => each.run)
    const lines = commands.map((command) => `timeout 1 bash -c ${quote(command)} <data.csv ${openedBefore}`)
    // By a file: a batch is longer than an argument may be.
    runBounded(['bash'], { copy, seconds: 120, input: lines.join('\n') })
    return copy.changes()
  }
  const flush = () => {
    if (run(batch).length > 0) {
      for (const each of batch) {
        const changed = run([each])
        if (changed.length > 0) faults.push({ command: each.judged, changed })
      }
    }
    batch = []
  }
  while (performance.now() < until) {
    const made = kinds[kind](random)
    generated++
    if (!isInteresting.test(made.judged)) continue
    const { decision } = await judge(made.judged)
    if (decision !== 'allow') continue
    ran++
    batch.push(made)
    if (batch.length === batchSize) flush()
  }
  flush()
  return { generated, ran, faults }
}
