// What the sandbox refused a job, from the files that its supervisor leaves.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobSandbox } from '../../../lib/commands/jobs/job-sandbox.js'
import { confinedPlan } from '../../../lib/commands/jobs/plan.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { stopAll } from './job-files.js'
import { id, jobWith } from './readable-job.js'

afterEach(stopAll)
afterAll(removeTempDirs)

interface Confined {
  sandbox?: object
  notes?: string[]
  output?: string
  command?: string
  exit?: object
}

const confinedJob = ({ sandbox, notes, output = '', command = 'true', exit = {} }: Confined = {}) => {
  const base = realpathSync(tempDir())
  const workingDir = join(base, 'project')
  mkdirSync(workingDir)
  const given: JobSandbox = {
    name: 'workspace',
    shell: '/bin/bash',
    writable: [workingDir],
    unreadable: [],
    sharedMemory: false,
    loopback: true,
    unixSockets: true,
    domains: ['registry.example'],
    scratchDirectory: '/tmp/of-the-job',
  }
  const job = jobWith({ workingDir, command, output, exit })
  const { record, directory } = job.paths
  const text = { ...JSON.parse(readFileSync(record, 'utf8')), sandbox: { ...given, ...sandbox } }
  writeFileSync(record, JSON.stringify(text))
  const shown = notes?.map((note) => `${note.replace('BASE', base)}\0`).join('')
  if (shown !== undefined) writeFileSync(join(directory, 'sandbox'), shown)
  return { ...job, base, workingDir }
}

const denied = (directory: string) => `changing modes is allowed below ${directory} and $TMPDIR only`

test('where it keeps what it downloads is not named as where it may write', async () => {
  const { store } = confinedJob({
    sandbox: { writable: ['/nowhere/ws', '/nowhere/cache'], cacheDirectory: '/nowhere/cache' },
    notes: ['denied 0 BASE/other'],
  })

  expect((await store.get(id))?.denied).toBe(denied('/nowhere/ws'))
})

test('what the broker refused is told of the job and of its output', async () => {
  const notes = ['denied 0 BASE/other', 'more-denied 3 ', 'changed 0 BASE/project/.envrc', 'more-changed 2 ']
  const { store, read, base, workingDir } = confinedJob({ notes })
  mkdirSync(join(base, 'other'))
  const told = {
    sandbox: 'workspace',
    denied: denied(workingDir),
    denials: [{ operation: 'chmod', target: join(base, 'other'), grant: { writable: [base] } }],
    denialsDropped: 3,
    protectedChanged: [join(workingDir, '.envrc')],
    protectedDropped: 2,
  }

  expect(await store.get(id)).toMatchObject(told)
  expect(await read()).toMatchObject(told)
})

test('a host that the proxy refused is told with what would list it', async () => {
  const { store } = confinedJob({ notes: ['denied 9 pypi.example:443'] })

  expect(await store.get(id)).toMatchObject({
    denied: expect.stringContaining('registry.example'),
    denials: [
      { operation: 'network', target: 'pypi.example:443', grant: { network: { domains: ['pypi.example'] } } },
    ],
  })
})

test('what the output tells is told of the output only', async () => {
  const output = 'bash: line 1: ../other: Permission denied\n'
  const { store, read, base } = confinedJob({
    output,
    command: ': >../other',
    exit: { status: 'failed', exitCode: 1 },
  })
  const denial = { operation: 'write', target: join(base, 'other'), inferred: true }

  expect(await read()).toMatchObject({ denials: [denial] })
  expect(await store.get(id)).not.toHaveProperty('denials')
})

test('of a job without a sandbox nothing is told, whatever it prints', async () => {
  const output = 'bash: line 1: ../other: Permission denied\n'
  const { store, paths, read } = jobWith({
    output,
    command: ': >../other',
    exit: { status: 'failed', exitCode: 1 },
  })
  writeFileSync(join(paths.directory, 'sandbox'), 'changed 0 /a\0')

  for (const told of [await read(), await store.get(id)]) {
    for (const field of ['sandbox', 'denied', 'denials', 'protectedChanged']) {
      expect(told).not.toHaveProperty(field)
    }
  }
})

test('a sandbox whose broker has ended is the error of the output', async () => {
  const { store, read } = confinedJob({
    notes: ['broker-ended 1 '],
    exit: { status: 'killed', exitCode: null, signal: 'SIGKILL' },
  })

  expect((await read()).error).toMatchObject({ code: 'ERR_SANDBOX_LOST' })
  expect((await store.get(id)).problem).toContain('ended before the command did')
})

test('notes that could not be written are missed', async () => {
  const { store, read } = confinedJob({ exit: { lostNotes: 2 } })

  expect((await store.get(id)).problem).toMatch(/^2 notes about the sandbox could not be written/)
  expect((await read()).error?.message).toMatch(/^2 notes/)
})

test('what is in the place of the notes is not followed', async () => {
  const { store, paths } = confinedJob()
  mkdirSync(join(paths.directory, 'sandbox'))

  expect((await store.get(id)).problem).toContain('sandbox: ')
})

test.each([
  ['name', 'unrestricted'],
  ['writable', '/a'],
  ['unreadable', [1]],
  ['sharedMemory', 'no'],
  ['loopback', 1],
  ['unixSockets', 'yes'],
  ['domains', 'registry.example'],
  ['shell', null],
  ['scratchDirectory', 7],
])('a record with a sandbox whose %s is %j is damaged', async (field, value) => {
  const { store } = confinedJob({ sandbox: { [field]: value } })

  expect(await store.get(id)).toMatchObject({ record: null, problem: expect.stringContaining(' is not ') })
})

test('the plan of a job ends with what confines it', () => {
  const plan = { id, directory: '/jobs/x', description: '{"version":1,', limitMs: 0, outputLimit: 1 }
  const sandbox: JobSandbox = {
    name: 'custom',
    shell: '/bin/bash',
    writable: ['/a"b'],
    unreadable: [],
    sharedMemory: true,
    loopback: false,
    unixSockets: false,
    domains: [],
    scratchDirectory: '',
  }
  const { description } = confinedPlan(plan, sandbox)

  expect(JSON.parse(`${description}"pid":1}`)).toEqual({ version: 1, sandbox, pid: 1 })
})

test('what was refused has no secret of this process in it', async () => {
  process.env.BASHWARD_TEST_TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
  try {
    const { store, read } = confinedJob({ notes: [`denied 0 BASE/${process.env.BASHWARD_TEST_TOKEN}`] })
    const shown = JSON.stringify([await read(), await store.get(id)])

    expect(shown).toContain('[removed: BASHWARD_TEST_TOKEN]')
    expect(shown).not.toContain(process.env.BASHWARD_TEST_TOKEN)
  } finally {
    delete process.env.BASHWARD_TEST_TOKEN
  }
})
