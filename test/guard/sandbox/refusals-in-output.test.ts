// What a result tells of the sandbox where files can be written: what is concluded from the output.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../../support/as-user.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import { only, outside, said, workspace, writing } from './refused-runs.js'

afterAll(removeTempDirs)

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
    expect(denials).toEqual([expect.objectContaining({ operation, target, inferred: true })])
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

    expect(said(output).denials).toEqual([
      {
        operation: 'network',
        target: 'example.com',
        grant: { network: { domains: ['example.com'] } },
        inferred: true,
      },
    ])
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
