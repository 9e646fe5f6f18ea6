// What a result tells of the sandbox where files can be written: which refusals are the sandbox's, and what would allow
// them.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOnlyPlan, type SandboxEvents } from '../../lib/engine/engine.js'
import { brokerOperations } from '../../lib/sandbox/denial-operations.js'
import type { ConfinedRun } from '../../lib/sandbox/denial-scope.js'
import { type DenialFields, denialFields } from '../../lib/sandbox/refusals.js'
import { isRoot } from '../support/as-user.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

const parent = tempDir()
const workspace = join(parent, 'ws')
const outside = join(parent, 'outside')
for (const directory of [workspace, outside, join(workspace, 'src')]) mkdirSync(directory)

const only = (act: string) => `${act} is allowed below ${workspace} and $TMPDIR only`
const writing = only('writing')

type Given = Partial<Omit<ConfinedRun, 'plan'>> & { plan?: Partial<ConfinedRun['plan']> }

const refusals = (given: Given = {}): DenialFields =>
  denialFields({
    output: '',
    exitCode: 1,
    command: 'program',
    directory: workspace,
    sandbox: 'workspace',
    report: undefined,
    mayBeWritable: () => true,
    ...given,
    plan: {
      ...readOnlyPlan,
      writable: [workspace],
      scratchDirectory: join(parent, 'scratch'),
      ...given.plan,
    },
  })

const said = (output: string, given: Given = {}) => refusals({ ...given, output })

const report = (
  ...denials: [operation: (typeof brokerOperations)[number], target: string][]
): SandboxEvents => ({
  denials: denials.map(([name, target]) => ({ operation: brokerOperations.indexOf(name), target })),
  denialsDropped: 0,
  changed: [],
  changedDropped: 0,
  brokerEnded: false,
})

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

describe('what the output speaks of', () => {
  test('is inferred, with the path and what would allow it', () => {
    const target = join(outside, 'new')

    expect(
      said(`touch: cannot touch '${target}': Permission denied\n`, { command: `touch ${target}` }),
    ).toEqual({
      denied: writing,
      denials: [{ operation: 'write', target, grant: { writable: [outside] }, inferred: true }],
    })
  })

  test('names the nearest directory that exists', () => {
    const target = join(outside, 'a/b/c')
    const output = `Error: EACCES: permission denied, mkdir '${target}'\n`

    expect(said(output).denials).toMatchObject([{ target, grant: { writable: [outside] } }])
  })

  test('names a directory itself when that was to be written to', () => {
    const output = `sort: cannot create temporary file in '${outside}': Permission denied\n`

    expect(said(output).denials).toMatchObject([{ target: outside, grant: { writable: [outside] } }])
  })

  test('has no grant where no policy may have one', () => {
    const output = `touch: cannot touch '${outside}/x': Permission denied\n`
    const { denials } = said(output, { mayBeWritable: () => false })

    expect(denials).toEqual([{ operation: 'write', target: join(outside, 'x'), inferred: true }])
  })

  test('has no grant for a directory that could not be shown as it is', () => {
    const directory = join(outside, 'a\u202eb')
    mkdirSync(directory)
    const { denials } = said(`touch: cannot touch '${directory}/x': Permission denied\n`)

    expect(denials).toEqual([{ operation: 'write', target: join(outside, 'a\\u202eb/x'), inferred: true }])
  })

  test('has no grant where the user may not write either', () => {
    const directory = join(outside, 'closed')
    mkdirSync(directory)
    chmodSync(directory, 0o500)
    const { denials } = said(`touch: cannot touch '${directory}/x': Permission denied\n`)

    expect(denials?.[0]?.grant).toEqual(isRoot ? { writable: [directory] } : undefined)
  })

  test('is each refusal once, the last one first', () => {
    const line = (name: string) => `touch: cannot touch '${outside}/${name}': Permission denied\n`
    const { denials } = said(line('a') + line('b') + line('a') + line('c'))

    expect(denials?.map(({ target }) => target)).toEqual(['c', 'a', 'b'].map((name) => join(outside, name)))
  })

  test('has paths that begin where the command is', () => {
    const { denials } = said("touch: cannot touch '../outside/x': Permission denied\n")

    expect(denials).toMatchObject([{ target: join(outside, 'x') }])
  })

  test('has paths that begin where the command has gone', () => {
    const output = "touch: cannot touch 'x': Permission denied\n"

    expect(said(output, { command: 'cd ../outside && touch x' }).denials).toMatchObject([
      { target: join(outside, 'x') },
    ])
    expect(said(output, { command: `cd src; cd "$HOME" && touch x` })).toEqual({})
  })

  test('has paths that begin where an option says', () => {
    const output = 'tar: x: Cannot open: Permission denied\n'

    expect(said(output, { command: `tar -C ${outside} -xf a.tar` }).denials).toMatchObject([
      { target: join(outside, 'x') },
    ])
  })

  test.each([
    ['chmod: changing permissions of', 'chmod', 'changing modes'],
    ['chown: changing ownership of', 'chown', 'changing owners'],
    ['touch: setting times of', 'utimes', 'changing times'],
  ])('%s', (words, operation, act) => {
    const output = `${words} '${outside}/x': Operation not permitted\n`

    expect(said(output)).toMatchObject({ denied: only(act), denials: [{ operation, inferred: true }] })
  })

  test.each([
    [
      'curl: (6) Could not resolve host: example.com',
      'network',
      'example.com',
      'network is blocked in Workspace mode',
    ],
    [
      'bash: line 1: kill: (4711) - Operation not permitted',
      'signals',
      '4711',
      'processes outside the command cannot be signalled in Workspace mode',
    ],
    [
      'unshare: unshare failed: Operation not permitted',
      'other',
      '',
      'the operation is blocked in Workspace mode',
    ],
    [
      'docker: permission denied while trying to connect to unix:///var/run/docker.sock',
      'unixSockets',
      '/var/run/docker.sock',
      'sockets to other processes are blocked in Workspace mode',
    ],
  ])('%s', (line, operation, target, sentence) => {
    const { denied, denials } = said(`${line}\n`)

    expect(denied).toContain(sentence)
    expect(denials).toEqual([{ operation, target, inferred: true }])
  })

  test('of shared memory has a grant, unless there is some', () => {
    const output = "PermissionError: [Errno 13] Permission denied: '/dev/shm/x'\n"
    const denial = {
      operation: 'sharedMemory',
      target: '/dev/shm/x',
      grant: { sharedMemory: true },
      inferred: true,
    }

    expect(said(output)).toEqual({
      denied: 'shared memory (/dev/shm) is blocked in Workspace mode',
      denials: [denial],
    })
    expect(said(output, { plan: { sharedMemory: true } })).toEqual({})
  })

  test("of python's multiprocessing is shared memory", () => {
    const output = [
      'Traceback (most recent call last):',
      '  File "synchronize.py", line 57, in __init__',
      '    sl = self._semlock = _multiprocessing.SemLock(',
      'PermissionError: [Errno 13] Permission denied\n',
    ].join('\n')

    expect(said(output, { command: 'python3 pool.py' }).denials).toEqual([
      { operation: 'sharedMemory', target: '', grant: { sharedMemory: true }, inferred: true },
    ])
  })

  test.each([
    ['chmod u+s tool', "chmod: changing permissions of 'tool'"],
    ['chmod 4755 tool', "chmod: changing permissions of 'tool'"],
    ['install -m 2755 a tool', "install: cannot change permissions of 'tool'"],
  ])('of bits that give privileges says so: %s', (command, words) => {
    const output = `${words}: Operation not permitted\n`

    expect(said(output, { command })).toEqual({
      denied: 'set-user-id and set-group-id bits are not allowed',
      denials: [{ operation: 'chmod', target: join(workspace, 'tool'), inferred: true }],
    })
    expect(said(output, { command: 'chmod 755 tool; chmod u+w,g-s tool; install -m 755 a tool' })).toEqual({})
  })

  test.each([
    ['ln', `ln: failed to create hard link 'hard' => '${outside}/f': Invalid cross-device link`],
    ['node', `Error: EXDEV: cross-device link not permitted, link '${outside}/f' -> 'hard'`],
  ])('of hard links to what can only be read: %s', (_, line) => {
    expect(said(`${line}\n`)).toEqual({
      denied: `hard links can be made only to files below ${workspace} and $TMPDIR; copy the file instead`,
      denials: [{ operation: 'write', target: join(outside, 'f'), inferred: true }],
    })
    expect(said(`${line}\n`, { exitCode: 0 })).toEqual({})
    expect(said(`${line}\n`.replaceAll(outside, workspace))).toEqual({})
  })

  test("of npm's summary", () => {
    const output = [
      'npm error code EACCES',
      'npm error syscall open',
      `npm error path ${outside}/_cacache/tmp/***`,
      'npm error errno -13',
      'npm error Your cache folder contains root-owned files, due to a bug in previous versions\n',
    ].join('\n')

    expect(said(output, { command: 'npm ci 2>&1 | tail -9', exitCode: 0 })).toEqual({})
    expect(said(output, { command: 'npm ci' })).toMatchObject({
      denied: writing,
      denials: [
        { operation: 'write', target: join(outside, '_cacache/tmp/***'), grant: { writable: [outside] } },
      ],
    })
    expect(said(output.replaceAll(outside, workspace), { command: 'npm ci' })).toEqual({})
  })

  test('of flags is so within the workspace, too', () => {
    expect(said('chattr: Operation not permitted while setting flags on src/a b\n')).toEqual({
      denied: 'flags of files (chattr) cannot be changed in Workspace mode',
      denials: [{ operation: 'setxattr', target: join(workspace, 'src/a b'), inferred: true }],
    })
  })

  test('of a terminal has no path', () => {
    expect(said('script: failed to create pseudo-terminal: Permission denied\n').denials).toEqual([
      { operation: 'devices', target: '', inferred: true },
    ])
  })

  test('of device nodes is so within the workspace, too', () => {
    expect(said('mknod: node: Permission denied\n', { command: 'mknod node c 1 3' })).toEqual({
      denied: 'devices and terminals are out of reach in Workspace mode',
      denials: [{ operation: 'devices', target: join(workspace, 'node'), inferred: true }],
    })
  })

  test('has a name once it has been named', () => {
    const output = [
      "wget: unable to resolve host address 'example.com'",
      'example.com: Temporary failure in name resolution.\n',
    ].join('\n')

    expect(said(output).denials).toEqual([{ operation: 'network', target: 'example.com', inferred: true }])
  })

  test('of a custom policy is called so', () => {
    const { denied } = said('curl: (6) Could not resolve host: example.com\n', { sandbox: 'custom' })

    expect(denied).toBe("network is blocked under this command's sandbox policy")
  })

  test('names three of many writable directories', () => {
    const writable = [workspace, '/srv/a', '/srv/b', '/srv/c', '/srv/d']
    const { denied } = said(`touch: cannot touch '${outside}/x': Permission denied\n`, {
      plan: { writable, scratchDirectory: '' },
    })

    expect(denied).toBe(`writing is allowed below ${workspace}, /srv/a, /srv/b and 2 more directories only`)
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
