// Nothing is left out of the gate: whoever adds an entry point, a method, a word or an option adds it here, too.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkHelp } from '../../lib/surfaces/cli/help/check.js'
import { doctorHelp } from '../../lib/surfaces/cli/help/doctor.js'
import { jobsHelp } from '../../lib/surfaces/cli/help/jobs.js'
import { mcpHelp } from '../../lib/surfaces/cli/help/mcp.js'
import { runHelp } from '../../lib/surfaces/cli/help/run.js'
import { workerHelp } from '../../lib/surfaces/cli/help/worker.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { binPath } from '../surfaces/cli/program.js'
import { calls, inert, servers } from './cli-table.js'
import { calledBy, entriesOf, passive, tableNames } from './tables.js'
import { hostileWorld, type World } from './world.js'

let world: World

beforeAll(async () => {
  world = await hostileWorld()
})

afterAll(removeTempDirs)

test('every export, and every method of what the exports make, has an entry', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(world.app, 'surface.mjs'), world.project, tempDir()],
    {
      cwd: world.project,
      env: { ...process.env, HOME: world.home, XDG_STATE_HOME: tempDir() },
      encoding: 'utf8',
    },
  )
  if (stdout === '') throw new Error(stderr)
  const offered = JSON.parse(stdout) as string[]
  const called = new Set([...tableNames.flatMap(entriesOf).flatMap(calledBy), ...passive])

  expect(offered.filter((name) => !called.has(name))).toEqual([])
})

test('every table of entries is a file of tests', () => {
  const files = readdirSync(__dirname)

  expect(tableNames.filter((name) => !files.includes(`${name}.test.ts`))).toEqual([])
})

describe('of the program', () => {
  const words = (): string[][] =>
    [...calls.map((call) => call.words), ...Object.values(servers)].map((wordsOf) => wordsOf(world))

  test('every command is called', () => {
    const { stderr } = spawnSync(process.execPath, [binPath], { encoding: 'utf8' })
    const names = /must be one of (.*)/.exec(stderr)?.[1]?.split(', ') ?? []
    const called = new Set(words().map(([name]) => name))

    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !called.has(name))).toEqual([])
  })

  test('every action of jobs is called', () => {
    const names = [...jobsHelp.matchAll(/^ {2}([a-z]+) {2,}\w/gm)].map(([, name]) => name)
    const called = new Set(words().flatMap(([command, action]) => (command === 'jobs' ? [action] : [])))

    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !called.has(name))).toEqual([])
  })

  test.each([
    ['run', runHelp],
    ['check', checkHelp],
    ['jobs', jobsHelp],
    ['doctor', doctorHelp],
    ['mcp', mcpHelp],
    ['worker', workerHelp],
  ])('every option of %s is given', (command, help) => {
    const text = help.slice(help.indexOf('\nOptions:'))
    const options = [...text.matchAll(/^ {2,6}(?:-\w, | {4})?--([a-z-]+)/gm)].map(([, name = '']) => name)
    const given = new Set(words().flatMap(([name, ...rest]) => (name === command ? rest : [])))

    expect(options.length).toBeGreaterThan(1)
    expect(options.filter((name) => !given.has(`--${name}`) && !inert.includes(name))).toEqual([])
  })
})
