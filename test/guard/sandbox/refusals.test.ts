// What a result tells of the sandbox where files can be written: which refusals are the sandbox's, and what would allow
// them.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeTempDirs } from '../../support/temp-dir.js'
import { only, outside, parent, refusals, report, said, workspace, writing } from './refused-runs.js'

afterAll(removeTempDirs)

describe('what the broker has refused', () => {
  test('is certain, and named with the directory that would have to be writable', () => {
    const target = join(outside, 'file')

    expect(refusals({ report: report(['chmod', target]) })).toEqual({
      denied: only('changing modes'),
      denials: [{ operation: 'chmod', target, grant: { writable: [outside] } }],
    })
  })

  test.each([
    ['chown', 'changing owners'],
    ['utimes', 'changing times'],
    ['setxattr', 'changing attributes'],
    ['removexattr', 'changing attributes'],
    ['truncate', 'writing'],
  ] as const)('%s: %s', (operation, act) => {
    const { denied, denials } = refusals({ report: report([operation, join(outside, 'file')]) })

    expect(denied).toBe(only(act))
    expect(denials?.[0]).toMatchObject({ operation, grant: { writable: [outside] } })
  })

  test('within the workspace is what is not its own', () => {
    const target = join(workspace, 'mounted/file')

    expect(refusals({ report: report(['chmod', target]) })).toEqual({
      denied: 'changing modes is allowed only below writable directories as they were when the command began',
      denials: [{ operation: 'chmod', target }],
    })
  })

  test('by a path of the caller has no grant', () => {
    expect(refusals({ report: report(['chmod', '../x']) }).denials).toEqual([
      { operation: 'chmod', target: '../x' },
    ])
  })

  test('of the workspace itself is no matter of where it lies', () => {
    expect(refusals({ report: report(['chmod', workspace]) })).toMatchObject({
      denied: 'the mode, owner and attributes of a writable directory itself cannot be changed',
      denials: [{ operation: 'chmod', target: workspace }],
    })
  })

  test('is told of a command that succeeded', () => {
    const { denials } = refusals({ exitCode: 0, report: report(['utimes', join(outside, 'file')]) })

    expect(denials).toHaveLength(1)
  })

  test('comes after what the output speaks of', () => {
    const target = join(outside, 'file')
    const output = 'curl: (6) Could not resolve host: example.com\n'
    const { denied, denials } = refusals({ output, report: report(['utimes', target]) })

    expect(denied).toBe('network is blocked in Workspace mode')
    expect(denials?.map(({ operation }) => operation)).toEqual(['network', 'utimes'])
  })

  test('is not inferred once more', () => {
    const target = join(outside, 'file')
    const output = `chmod: changing permissions of '${target}': Operation not permitted\n`

    expect(refusals({ output, report: report(['chmod', target]) }).denials).toEqual([
      { operation: 'chmod', target, grant: { writable: [outside] } },
    ])
  })

  test('is no write that was refused as well', () => {
    const target = join(outside, 'file')
    const output = `touch: cannot touch '${target}': Permission denied\n`

    expect(refusals({ output, report: report(['utimes', target]) }).denials).toEqual([
      { operation: 'utimes', target, grant: { writable: [outside] } },
    ])
  })

  test('is named 32 times at most, and the rest is counted', () => {
    const denials = Array.from({ length: 40 }, (_, index) => ({ operation: 0, target: `/opt/${index}` }))
    const result = refusals({
      report: { denials, denialsDropped: 5, changed: [], changedDropped: 0, brokerEnded: false },
    })

    expect(result.denials).toHaveLength(32)
    expect(result.denialsDropped).toBe(13)
  })

  test('has targets that move no cursor and turn no text', () => {
    const target = join(outside, 'a\n\x1b[2J\u202eb')

    expect(refusals({ report: report(['chmod', target]) }).denials).toEqual([
      { operation: 'chmod', target: join(outside, 'a\\n\\x1b[2J\\u202eb'), grant: { writable: [outside] } },
    ])
  })
})

describe('what cannot be read', () => {
  const unreadable = [join(outside, '.ssh'), join(outside, 'krb5cc_*')]
  mkdirSync(join(outside, '.ssh'))
  writeFileSync(join(outside, '.ssh/id'), '')
  symlinkSync(join(outside, '.ssh'), join(workspace, 'keys'))

  test.each([
    ['cat', join(outside, '.ssh/id')],
    ['ls: cannot open directory', join(outside, '.ssh')],
    ['klist', join(outside, 'krb5cc_1000')],
  ])('is named, and has no grant: %s %s', (program, target) => {
    const result = said(`${program}: ${target}: Permission denied\n`, { plan: { unreadable } })

    expect(result).toEqual({
      denied: `${target} is not readable in Workspace mode`,
      denials: [{ operation: 'read', target, inferred: true }],
    })
  })

  test('is known by where a link leads', () => {
    const { denials } = said('cat: keys/id: Permission denied\n', { plan: { unreadable } })

    expect(denials).toMatchObject([{ operation: 'read', target: join(workspace, 'keys/id') }])
  })

  test('is not what has a similar name', () => {
    const output = `cat: ${outside}/.sshd/id: Permission denied\n`

    expect(said(output, { plan: { unreadable } })).toEqual({})
  })

  test('is named where nothing can be written', () => {
    const target = join(outside, '.ssh/id')
    const result = said(`cat: ${target}: Permission denied\n`, {
      sandbox: 'custom',
      plan: { writable: [], unreadable },
    })

    expect(result.denials).toEqual([{ operation: 'read', target, inferred: true }])
  })
})

describe('not the sandbox', () => {
  const link = join(parent, 'link')
  symlinkSync(workspace, link)

  test.each([
    ['a path within', "touch: cannot touch 'src/x': Permission denied\n"],
    ['its absolute path', `touch: cannot touch '${workspace}/x': Permission denied\n`],
    ['a path that leads into it', `touch: cannot touch '${link}/x': Permission denied\n`],
    ['a path below $TMPDIR', `touch: cannot touch '${parent}/scratch/x': Permission denied\n`],
    ['a mode within', "chmod: changing permissions of 'src': Operation not permitted\n"],
    ['a file system that is read-only', `touch: cannot touch '${outside}/x': Read-only file system\n`],
    ['reading', 'cat: /etc/shadow: Permission denied\n'],
    ['a database of which nothing is known', 'Error: attempt to write a readonly database\n'],
    ['an exception without a path', 'PermissionError: [Errno 13] Permission denied\n'],
    ['a program without the x bit', 'bash: line 1: ./f: Permission denied\n'],
    ['a key that is not accepted', 'git@example.com: Permission denied (publickey).\n'],
    ['an ordinary failure', 'make: *** [Makefile:2: all] Error 1\n'],
  ])('%s', (_, output) => {
    expect(said(output)).toEqual({})
  })

  test('what a log says of another machine', () => {
    const output = "Error: EACCES: permission denied, open '/somewhere/else/x'\n"

    expect(said(output, { exitCode: 0, command: 'npm test; true' })).toEqual({})
    expect(said(output, { exitCode: 0, command: 'make > log; cat log' })).toEqual({})
  })

  test('what a program prints that only reads', () => {
    const output = `touch: cannot touch '${outside}/x': Permission denied\n`

    expect(said(output, { exitCode: 0, command: 'echo new > file && cat build.log' })).toEqual({})
  })

  test('a hidden failure of a program that writes within', () => {
    expect(said('', { command: 'git stash', exitCode: 1 })).toEqual({})
    expect(said('', { command: 'vim -es file', exitCode: 1 })).toEqual({})
  })
})

test('a path that leads out of the workspace is outside', () => {
  symlinkSync(outside, join(workspace, 'out'))
  const target = join(workspace, 'out/x')

  expect(said("touch: cannot touch 'out/x': Permission denied\n").denials).toMatchObject([
    { operation: 'write', target, grant: { writable: [outside] } },
  ])
})

test('a database outside that an argument names is what could not be written', () => {
  const output = 'Error: attempt to write a readonly database\n'

  expect(said(output, { command: `sqlite3 ${outside}/x.db 'create table t(x)'` })).toMatchObject({
    denied: writing,
    denials: [{ operation: 'write', target: '' }],
  })
})

test('what says nothing tells by its exit status', () => {
  expect(said('', { command: 'curl -s https://example.com', exitCode: 6 }).denials).toEqual([
    { operation: 'network', target: '', inferred: true },
  ])
})

describe('in Restricted mode', () => {
  const restricted = { sandbox: 'restricted', plan: { writable: [], scratchDirectory: '' } }

  test('the cause is told as ever, and named, without a grant', () => {
    expect(said(`touch: cannot touch '${outside}/x': Permission denied\n`, restricted)).toEqual({
      denied: 'files are read-only in Restricted mode',
      denials: [{ operation: 'write', target: join(outside, 'x'), inferred: true }],
    })
  })

  test('of several causes one is told', () => {
    const output = 'curl: (6) Could not resolve host: example.com\nbash: line 1: new: Permission denied\n'

    expect(said(output, { ...restricted, command: 'curl example.com > new' }).denials).toEqual([
      { operation: 'write', target: join(workspace, 'new'), inferred: true },
    ])
  })

  test('nothing refused is nothing told', () => {
    expect(said('fine\n', { ...restricted, exitCode: 0 })).toEqual({})
  })
})

test('a flood of refusals takes no time', () => {
  const output = Array.from(
    { length: 20_000 },
    (_, i) => `touch: cannot touch '/opt/${i}': Permission denied\n`,
  )
  const start = process.cpuUsage()
  const { denials } = said(output.join(''))
  const { user } = process.cpuUsage(start)

  expect(denials).toHaveLength(32)
  expect(user).toBeLessThan(2_000_000)
})
