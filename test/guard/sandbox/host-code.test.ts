// Code of the host in a directory that a command may write to: it is told, or refused.
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { probeSandbox, type SandboxEvent } from '../../../lib/index.js'
import { copyPackage } from '../../support/as-user.js'
import { type HostOptions, killHosts, runHost } from '../../support/host.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { directoryOf, users } from './sandbox-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

let refusal: string | undefined

beforeAll(async () => {
  const { workspace } = await probeSandbox()
  refusal = workspace.available ? undefined : (workspace.reason ?? '')
})

interface Told {
  results: (string | { code: string; message: string })[]
  events: SandboxEvent[]
}

/** A library that this process has loaded, and nothing depends on. */
const someLibrary = (): string | undefined => {
  const maps = readFileSync('/proc/self/maps', 'utf8')
  return /\/\S*\/lib(?:dl|pthread|gcc_s)\.so\S*$/m.exec(maps)?.[0]
}

describe.each(users)('code of the host in a writable directory, as $user', ({ ordinaryUser }) => {
  const ask = (argument: object, options: HostOptions = {}): Promise<Told> =>
    runHost<Told>('host-code', { ordinaryUser, argument, ...options })

  /** A project with a module, and with a library that is not loaded yet. */
  const makeProject = () => {
    const project = directoryOf(ordinaryUser)
    const module = join(project, 'module.cjs')
    writeFileSync(module, 'module.exports = 1\n')
    return { project, module, policy: { writable: [project] } }
  }

  it('is told once for the directories of a policy, with the paths', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const { project, module, policy } = makeProject()
    const { results, events } = await ask({ cwd: project, module, sandboxes: [policy, 'workspace', policy] })

    expect(results).toEqual(['ran\n', 'ran\n', 'ran\n'])
    expect(events).toEqual([
      {
        type: 'hostCode',
        reason: `commands can change code that this program has loaded: ${module}`,
        writable: [project],
        paths: [module],
      },
    ])
  })

  it('is told of libraries', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const library = someLibrary()
    if (library === undefined) return cannotTest('no library of this process is known to be loadable twice')
    const { project, policy } = makeProject()
    const copy = join(project, 'library.so')
    copyFileSync(library, copy)
    const env = { ...process.env, LD_PRELOAD: copy }
    const { events } = await ask({ cwd: project, sandboxes: [policy] }, { env })

    expect(events).toMatchObject([{ type: 'hostCode', paths: [copy] }])
  })

  it('is told of libraries whose names look like those of deleted files', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const library = someLibrary()
    if (library === undefined) return cannotTest('no library of this process is known to be loadable twice')
    const { project, policy } = makeProject()
    const [copy, link] = [join(project, 'library.so (deleted)'), join(project, 'link.so')]
    copyFileSync(library, copy)
    // The loader takes a space for the end of a name.
    symlinkSync(copy, link)
    const env = { ...process.env, LD_PRELOAD: link }
    const { events } = await ask({ cwd: project, sandboxes: [policy] }, { env })

    expect(events).toMatchObject([{ type: 'hostCode', paths: [copy] }])
  })

  it('is told of modules that Node knows by the name of a link', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const { project, module, policy } = makeProject()
    const link = join(directoryOf(ordinaryUser), 'link.cjs')
    symlinkSync(module, link)
    const argument = { cwd: project, module: link, sandboxes: [policy] }
    const { events } = await ask(argument, { nodeOptions: ['--preserve-symlinks'] })

    expect(events).toMatchObject([{ type: 'hostCode', paths: [module] }])
  })

  it('is refused by a policy that says so, with the directory, the paths and the option', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const { project, module, policy } = makeProject()
    const { results, events } = await ask({
      cwd: project,
      module,
      sandboxes: [{ ...policy, hostCode: 'refuse' }],
    })

    const reason = "with hostCode: 'refuse', as this program has loaded code from it"
    expect(results).toMatchObject([
      {
        code: 'ERR_INVALID_INPUT',
        message: expect.stringContaining(`${project}: cannot be made writable ${reason}: ${module}`),
      },
    ])
    expect(events).toEqual([])
  })

  it('is refused by whatever link the directory is given', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const { project, module } = makeProject()
    const link = join(tempDir(), 'link')
    symlinkSync(project, link)
    const sandbox = { writable: [link], hostCode: 'refuse' }

    expect((await ask({ cwd: '/', module, sandboxes: [sandbox] })).results).toMatchObject([
      { code: 'ERR_INVALID_INPUT' },
    ])
  })

  it('is refused and told where it lies in the memory that a policy shares', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const shared = tempDir({ parent: '/dev/shm' })
    const module = join(shared, 'module.cjs')
    writeFileSync(module, 'module.exports = 1\n')
    const policy = { sharedMemory: true }
    const sandboxes = [{ ...policy, hostCode: 'refuse' }, policy]
    const { results, events } = await ask({ cwd: '/', module, sandboxes })

    const start = "sandbox.sharedMemory: /dev/shm: cannot be made writable with hostCode: 'refuse'"
    expect(results).toEqual([
      expect.objectContaining({ code: 'ERR_INVALID_INPUT', message: expect.stringContaining(start) }),
      'ran\n',
    ])
    expect(events).toMatchObject([{ type: 'hostCode', writable: ['/dev/shm'], paths: [module] }])
  })

  it('does no harm to directories without any', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const { module } = makeProject()
    const other = directoryOf(ordinaryUser)
    const sandbox = { writable: [other], hostCode: 'refuse' }

    expect(await ask({ cwd: other, module, sandboxes: [sandbox] })).toEqual({
      results: ['ran\n'],
      events: [],
    })
  })
})

it('names the package that lies in the directory as one path', async () => {
  if (refusal !== undefined) return cannotTest(refusal)
  const project = tempDir()
  const installed = join(project, 'node_modules/bashward')
  mkdirSync(installed, { recursive: true })
  copyPackage(installed)
  const main = join(tempDir(), 'main.cjs')
  writeFileSync(
    main,
    `require('${installed}/test/fixtures/hosts/host-code.cjs')({
      bashward: require('${installed}'),
      argument: { cwd: '${project}', sandboxes: ['workspace'] },
    }).then((result) => process.stdout.write(JSON.stringify(result)))`,
  )
  const { execFileSync } = await import('node:child_process')
  const { events } = JSON.parse(execFileSync(process.execPath, [main], { encoding: 'utf8' })) as Told

  expect(events).toMatchObject([{ type: 'hostCode', paths: [installed] }])
})
