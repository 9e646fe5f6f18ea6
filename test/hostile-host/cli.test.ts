// The program `bashward`, installed in a project where a command has planted what it could, and called there.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { JobStore } from '../../lib/index.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { type Call, calls, jobCommands } from './cli-table.js'
import { harmless, passThrough, testTraced } from './passage.js'
import { hostEnvironment, hostileWorld, type World, writeRules } from './world.js'

let world: World
const started: string[] = []

beforeAll(async () => {
  world = await hostileWorld()
  writeRules(world)
})

afterEach(async () => {
  const jobs = new JobStore({ directory: join(world.state, 'jobs') })
  for (const id of started.splice(0)) await jobs.kill(id)
})

afterAll(removeTempDirs)

const program = (): string[] => [process.execPath, join(world.package, 'dist/cli/bin.js')]

/** The words of a call, with the ids of jobs that are started for it. */
const wordsOf = ({ words }: Call): string[] =>
  words(world).map((word) => {
    const command = jobCommands[word]
    if (command === undefined) return word
    const [node = '', ...args] = [...program(), 'run', ...command]
    const output = execFileSync(node, args, {
      cwd: world.project,
      env: hostEnvironment(world),
      encoding: 'utf8',
    })
    const [id = ''] = /bash_[a-z0-9]{6,8}/.exec(output) ?? []
    started.push(id)
    return id
  })

describe.each(calls)('bashward $name', (call) => {
  testTraced('executes nothing foreign, changes nothing outside, and tells no secret', async () => {
    const { end = 0, input, terminal } = call
    const words = [...program(), ...wordsOf(call)]
    const passage = await passThrough(world, words, {
      ...(input !== undefined && { input }),
      ...(terminal && { terminal }),
    })

    expect(passage).toMatchObject({ end, ...harmless })
  })
})
