// From completions of commands that may write to results: what the sandbox refused, and what a policy may allow.
import { mkdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { Outcome, type SandboxEvents } from '../../../lib/processes/engine/completion.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { build, completion, exited } from './completions.js'

afterAll(removeTempDirs)

const parent = tempDir()
const [cwd, other] = [join(parent, 'ws'), join(parent, 'other')]
for (const directory of [cwd, other]) mkdirSync(directory)
const workspace = { sandbox: 'workspace', cwd, scratch: { directory: parent } } as const

const report = (parts: Partial<SandboxEvents>): Partial<SandboxEvents> & SandboxEvents => ({
  denials: [],
  denialsDropped: 0,
  changed: [],
  changedDropped: 0,
  brokerEnded: false,
  ...parts,
})
const only = `is allowed below ${cwd} and $TMPDIR only`

test('what the broker refused is named, with what a policy could have', () => {
  const denials = [{ operation: 0, target: join(other, 'x') }]

  expect(build(completion({ report: report({ denials, denialsDropped: 2 }) }), workspace)).toMatchObject({
    status: 'completed',
    sandbox: 'workspace',
    denied: `changing modes ${only}`,
    denials: [{ operation: 'chmod', target: join(other, 'x'), grant: { writable: [other] } }],
    denialsDropped: 2,
  })
})

test('no policy can have a system directory', () => {
  const denials = [{ operation: 1, target: '/etc/hostname' }]

  expect(build(completion({ report: report({ denials }) }), workspace).denials).toEqual([
    { operation: 'chown', target: '/etc/hostname' },
  ])
})

test('what the output speaks of is inferred', () => {
  const line = `touch: cannot touch '${other}/x': Permission denied\n`
  const failed = completion({ exited: { ...exited, exitCode: 1 }, streams: [line, ''] })

  expect(build(failed, workspace)).toMatchObject({
    denied: `writing ${only}`,
    denials: [{ operation: 'write', target: join(other, 'x'), grant: { writable: [other] }, inferred: true }],
  })
})

test('a success has no fields of it', () => {
  const result = build(completion(), workspace)

  for (const field of ['denied', 'denials', 'denialsDropped', 'protectedChanged']) {
    expect(result).not.toHaveProperty(field)
  }
})

test('changed paths are passed on as they are', () => {
  const changed = [join(cwd, '.envrc')]

  expect(build(completion({ report: report({ changed }) }), workspace).protectedChanged).toEqual(changed)
})

test('a bash that cannot be executed is told of what it may not read', () => {
  const errno = constants.errno.EACCES
  const failed = completion({
    outcome: Outcome.notStarted,
    pid: 0,
    step: 'execve',
    errno,
    exited: undefined,
  })
  const start = (unreadable: string[]) => () => build(failed, { ...workspace, workspace: { unreadable } })

  expect(start(['/usr/lib/gone', '/srv/keys'])).toThrow(
    expect.objectContaining({
      code: 'ERR_SPAWN',
      path: '/bin/bash',
      errno,
      message: expect.stringMatching(/: what it needs may be in what is unreadable: \/usr\/lib\/gone$/),
    }),
  )
  expect(start(['/srv/keys'])).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('unreadable') }),
  )
})
