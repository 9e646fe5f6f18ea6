// Every option of the programs of the table, as their own --help names them, alone and with operands; and random
// combinations of several. What is allowed is run.

import { spawnSync } from 'node:child_process'
import { runBounded } from './bounded.mjs'
import { descriptorsAround, openedBefore } from './descriptors.mjs'
import { randomFrom } from './random.mjs'

/** Builtins, shells, wrappers, and what does not end. */
const skipped = new Set(
  `yes sleep bash sh dash eval exit return break continue wait cd pushd popd dirs jobs set shopt read mapfile readarray export local
  declare readonly typeset shift unset umask ulimit hash true false : test [ echo printf type env timeout nice time stdbuf builtin
  command xargs`.split(/\s+/),
)

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0'.split('')

const helpOf = (words, copy) => {
  const [program, ...parameters] = words
  const { stdout = '', stderr = '' } = spawnSync(program, parameters, {
    cwd: copy.project,
    env: copy.environment,
    encoding: 'latin1',
    input: '',
    timeout: 5000,
  })
  return `${stdout ?? ''}${stderr ?? ''}`
}

const namesIn = (help) => [
  ...new Set([...help.matchAll(/(?<![\w-])--([a-zA-Z][\w-]+)/g)].map(([, name]) => name)),
]

/** Of one program or sub-command: its options. */
const optionsOf = (name, copy) => {
  const words = name.split(' ')
  const help = helpOf([...words, words[0] === 'git' ? '-h' : '--help'], copy)
  return [...letters.map((letter) => `-${letter}`), ...namesIn(help).map((option) => `--${option}`)]
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`

const single = (name, option, operand) =>
  option.startsWith('--')
    ? [
        `${name} ${option}`,
        `${name} ${option} ${operand}`,
        `${name} ${option}=pwned ${operand}`,
        `${name} ${option} pwned ${operand}`,
        `${name} ${option} "$long"`,
        `${name} ${option} -- --output=pwned`,
      ]
    : [
        `${name} ${option}`,
        `${name} ${option} pwned ${operand}`,
        `${name} ${option}pwned ${operand}`,
        `${name} ${operand} ${option} pwned`,
        `${name} ${option} "$long"`,
        `${name} ${option} "$short"`,
        `${name} ${option} -- --output=pwned`,
      ]

const batchSize = 60

/**
 * @param {{ programs: readonly string[], gitCommands: readonly string[], seed: number, seconds: number, judge: Function, copy: import('./copies.mjs').Copy }} plan
 */
export const fuzzOptions = async ({ programs, gitCommands, seed, seconds, judge, copy }) => {
  const names = [
    ...programs.filter((name) => !skipped.has(name) && name !== 'git'),
    ...gitCommands.map((name) => `git ${name}`),
  ]
  const installed = names.filter(
    (name) => spawnSync('which', [name.split(' ')[0]], { stdio: 'ignore' }).status === 0,
  )
  const faults = []
  let generated = 0
  let ran = 0
  const run = (commands) => {
    // What is not a value may be an option.
    const values = ['export long=--output=pwned', 'export short=-opwned']
    const lines = commands.map(
      (command) => `timeout 1 bash -c ${quote(command)} </dev/null >/dev/null 2>&1 ${openedBefore}`,
    )
    runBounded(['bash'], { copy, seconds: 120, input: [...values, ...lines].join('\n') })
    return copy.changes()
  }
  const runAll = (commands) => {
    for (let at = 0; at < commands.length; at += batchSize) {
      const batch = commands.slice(at, at + batchSize)
      ran += batch.length
      if (run(batch).length === 0) continue
      for (const command of batch) {
        const changed = run([command])
        if (changed.length > 0) faults.push({ command, changed })
      }
    }
  }
  const allowed = async (commands) => {
    generated += commands.length
    const kept = []
    for (const command of new Set(commands)) {
      const { decision } = await judge(command)
      if (decision === 'allow') kept.push(command)
    }
    return kept
  }
  const options = new Map(installed.map((name) => [name, optionsOf(name, copy)]))
  copy.renew()
  for (const [name, own] of options) {
    const operand = name.startsWith('git ') ? 'HEAD' : 'README.md'
    runAll(
      await allowed([
        ...own.flatMap((option) => single(name, option, operand)),
        `${name} ${operand} pwned`,
        `${name} pwned`,
      ]),
    )
  }
  const random = randomFrom(seed)
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    const batch = []
    for (let count = 0; count < 400; count++) {
      const name = random.pick(installed)
      const words = [name]
      for (let more = 1 + random.below(4); more > 0; more--) {
        const option = random.pick(options.get(name))
        words.push(random.chance(0.2) ? `${option}${option.startsWith('--') ? '=' : ''}pwned` : option)
        if (random.chance(0.4))
          words.push(random.pick(['pwned', 'README.md', 'src', 'HEAD', '2', 'main', '*', 'v1.0']))
      }
      const command = words.join(' ')
      batch.push(random.chance(0.3) ? descriptorsAround(random)(command) : command)
    }
    runAll(await allowed(batch))
  }
  return { programs: installed.length, generated, ran, faults }
}
