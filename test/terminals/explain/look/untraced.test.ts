// Real processes where the kernel lets nobody trace them, as with Yama: less is told of them, and nothing wrong.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { look } from '../../../../lib/terminals/explain/look/main.js'
import { parseStat } from '../../../../lib/terminals/explain/look/processes.js'
import { killLeftovers, uniqueSleep } from '../../../support/processes.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  killLeftovers()
})
afterAll(removeTempDirs)

/** What is told of a child of this process: kinds and texts. */
const told = async (child: ChildProcess): Promise<string> => {
  const { pid } = process
  const { startTime = 0 } = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? {}
  const roots = [{ pid, startTime, shell: child.pid ?? 0 }]
  const deadline = Date.now() + 20_000
  const found = await look({ host: 0, ages: [], roots, lookAt: Date.now(), deadline, untraced: true })
  return found
    .flatMap(({ findings }) => findings)
    .map(
      ({ kind, text }) =>
        `${kind}: ${text.map((piece) => (typeof piece === 'string' ? piece : Object.values(piece)[0])).join('')}`,
    )
    .join('\n')
}

const start = (program: string, ...args: string[]): ChildProcess => {
  const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  children.push(child)
  return child
}

const toldAs = (child: ChildProcess, expected: RegExp) =>
  waitFor(
    async () => {
      const text = await told(child)
      return expected.test(text) ? text : undefined
    },
    { what: String(expected) },
  )

test('a program that sleeps is asleep, for whatever time', async () => {
  expect(await toldAs(start('sleep', uniqueSleep()), /^sleep/)).toBe('sleep: asleep')
})

test('a lock is named with its holder: /proc/locks says both', async () => {
  const file = join(tempDir(), 'lock')
  writeFileSync(file, '')
  const holder = start('flock', file, 'sleep', uniqueSleep())
  await waitFor(() => readFileSync('/proc/locks', 'utf8').includes(` ${holder.pid} `), { what: 'the lock' })

  expect(await toldAs(start('flock', file, 'true'), /^lock/)).toBe(
    `lock: waiting for the lock of ${file}, held by ${holder.pid} (flock)`,
  )
})

test('a program that computes is busy', async () => {
  expect(await toldAs(start('bash', '-c', 'while :; do :; done'), /^(?:busy|active)/)).toMatch(/processor/)
})

test('a program that waits for events waits for events', async () => {
  const child = start(process.execPath, '-e', 'setInterval(() => {}, 1e6)')

  expect(await toldAs(child, /^events/)).toMatch(/^events: waiting for events/)
})
