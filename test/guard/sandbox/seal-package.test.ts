// The package inside the directory that a command may write to: what the command puts in the place of its files is not
// executed by the host that runs.
import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { probeSandbox } from '../../../lib/index.js'
import { copyPackage, ordinaryUid } from '../../support/as-user.js'
import { killHosts, runHost } from '../../support/host.js'
import { casesInTurn } from '../../support/in-turns.js'
import { prefixWithMount } from '../../support/mounts.js'
import { cannotTest, onlyRootCanTest } from '../../support/must-work.js'
import { pidNamespacePrefix } from '../../support/pid-namespace.js'
import { whyNotRestricted } from '../../support/restricted.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { users } from './sandbox-hosts.js'

afterEach(killHosts)
afterAll(removeTempDirs)

let refusal: string | undefined

beforeAll(async () => {
  refusal = await whyNotRestricted()
})

const give = (path: string, owner: number): void => {
  chownSync(path, owner, owner)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) give(join(path, name), owner)
}

interface Project {
  directory: string
  package: string
  marks: string
  jobs: string
}

const makeProject = (ordinaryUser: boolean): Project => {
  const directory = tempDir()
  const project = {
    directory,
    package: join(directory, 'project/node_modules/bashward'),
    marks: join(directory, 'marks'),
    jobs: join(directory, 'jobs'),
  }
  for (const path of [project.package, project.marks, project.jobs]) mkdirSync(path, { recursive: true })
  copyPackage(project.package)
  if (ordinaryUser && process.getuid?.() === 0) give(directory, ordinaryUid)
  return project
}

/** Each of them in the place of files of the package: what executes it leaves a mark. */
const overwriting = {
  javascript: ({ marks }: Project) => `
    evil='require("fs").writeFileSync("${marks}/javascript", "")'
    find . -name '*.js' -o -name '*.cjs' | while read -r file; do echo "$evil" >"$file"; done
    find . -name '*.mjs' | while read -r file; do echo 'import "./evil.cjs"' >"$file"; done
    find . -type d -not -path '*/node_modules/*' | while read -r directory; do
      echo "$evil" >"$directory/evil.cjs"
      for name in re2js unbash node-gyp-build; do
        mkdir -p "$directory/node_modules/$name"
        echo '{"main":"evil.cjs"}' >"$directory/node_modules/$name/package.json"
        echo "$evil" >"$directory/node_modules/$name/evil.cjs"
      done
    done
    find . -name package.json | while read -r file; do echo '{"main":"evil.cjs"}' >"$file"; done`,
  supervisor: ({ marks }: Project) => `
    find . -name bashward-supervisor | while read -r file; do
      rm "$file"; printf '#!/bin/sh\\n: >${marks}/supervisor\\n' >"$file"; chmod 755 "$file"
    done`,
  zeroedAddon: () => `
    find . -name '*.node' | while read -r file; do
      dd if=/dev/zero of="$file" bs=4096 count=$(($(stat -c %s "$file") / 4096)) conv=notrunc status=none
    done`,
  truncatedAddon: () => `find . -name '*.node' | while read -r file; do : >"$file"; done`,
  // Truncated first: this process loses its own pages, those of its data included, and would get these instead.
  rewrittenAddon: () => `
    find . -name '*.node' | while read -r file; do
      size=$(stat -c %s "$file"); : >"$file"; head -c "$size" /dev/zero | tr '\\0' A >"$file"
    done`,
  removedAddon: () => `find . -name '*.node' -delete`,
}

const addons = ['zeroedAddon', 'truncatedAddon', 'rewrittenAddon', 'removedAddon'] as const

const commandOf = (project: Project, kinds: (keyof typeof overwriting)[]): string =>
  [`cd '${project.package}' || exit`, ...kinds.map((kind) => overwriting[kind](project)), 'true'].join('\n')

const argumentOf = (project: Project, kinds: (keyof typeof overwriting)[], more: object): object => ({
  package: project.package,
  jobs: project.jobs,
  cwd: project.directory,
  writable: join(project.directory, 'project'),
  overwrite: commandOf(project, kinds),
  ...more,
})

/** Words before a program for which the kernel executes no file in memory; undefined, and says so, where that cannot be. */
const prefixWithoutMemoryPrograms = (): string[] | undefined => {
  const namespace = pidNamespacePrefix('own')
  if (namespace === undefined) return undefined
  const prefix = [...namespace, 'sh', '-c', 'echo 2 >/proc/sys/vm/memfd_noexec && exec "$@"', 'sh']
  const [program = '', ...args] = prefix
  const { status, stderr } = spawnSync(program, [...args, 'true'], { encoding: 'utf8' })
  if (status === 0) return prefix
  onlyRootCanTest(`vm.memfd_noexec cannot be set: ${stderr.trim()}`)
  return undefined
}

const everyUse = {
  run: 'run\n',
  restricted: 'restricted\n',
  denied: [1, 'string'],
  tool: 'tool\n',
  exec: 'exec',
  session: 'hello\n',
  check: 'false,false,false,false,false',
  job: 'job\n',
  suite: ['killed', 'killed'],
  adapter: 'adapter\n',
  lateImport: ['function', 'function'],
  probe: 'boolean',
}

describe.each(users)('a package that a command has overwritten, as $user', ({ ordinaryUser }) => {
  const inTurn = casesInTurn(addons, Number(ordinaryUser), users.length)

  it('goes on as it was once it is sealed', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const project = makeProject(ordinaryUser)
    const argument = argumentOf(project, ['javascript', 'supervisor', 'zeroedAddon'], { seal: true })
    const results = await runHost('overwritten-package', { ordinaryUser, argument })

    expect(readdirSync(project.marks)).toEqual([])
    expect(results).toEqual(everyUse)
  })

  it.each(inTurn)('is sealed by a policy that makes what contains it writable, %s', async (addon) => {
    const { workspace } = await probeSandbox()
    if (!workspace.available) return cannotTest(workspace.reason ?? '')
    const project = makeProject(ordinaryUser)
    const sandbox = { writable: [join(project.directory, 'project')], sharedMemory: false }
    const use = ['run', 'restricted', 'tool', 'session', 'check']
    const argument = argumentOf(project, ['javascript', 'supervisor', addon], { sandbox, use })

    expect(await runHost('overwritten-package', { ordinaryUser, argument })).toEqual({
      run: 'run\n',
      restricted: 'restricted\n',
      tool: 'tool\n',
      session: 'hello\n',
      check: everyUse.check,
    })
    expect(readdirSync(project.marks)).toEqual([])
  })

  it('is sealed where its files are in such a directory by other links', async () => {
    const { workspace } = await probeSandbox()
    if (!workspace.available) return cannotTest(workspace.reason ?? '')
    const project = makeProject(ordinaryUser)
    const host = join(project.directory, 'host')
    expect(spawnSync('cp', ['-al', project.package, host]).status).toBe(0)
    const sandbox = { writable: [join(project.directory, 'project')], sharedMemory: false }
    const use = ['run', 'session', 'check', 'job', 'suite']
    const argument = argumentOf(project, ['javascript'], { sandbox, use, package: host })

    expect(await runHost('overwritten-package', { ordinaryUser, argument })).toEqual(
      Object.fromEntries(use.map((name) => [name, everyUse[name as keyof typeof everyUse]])),
    )
    expect(readdirSync(project.marks)).toEqual([])
  })

  it('goes on in a worker that has loaded it before', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const project = makeProject(ordinaryUser)
    const { lateImport: _, adapter: __, check: ___, ...uses } = everyUse
    const argument = argumentOf(project, ['javascript', 'supervisor', 'rewrittenAddon'], {
      seal: true,
      worker: true,
      use: Object.keys(uses),
    })

    expect(await runHost('overwritten-package', { ordinaryUser, argument })).toEqual(uses)
    expect(readdirSync(project.marks)).toEqual([])
  })

  it('goes on beside another copy in the same process', async () => {
    if (refusal !== undefined) return cannotTest(refusal)
    const project = makeProject(ordinaryUser)
    const { package: copy } = makeProject(ordinaryUser)
    const use = ['run', 'restricted', 'session', 'check']
    const argument = argumentOf(project, ['supervisor', 'rewrittenAddon'], { seal: true, copy, use })
    const expected = {
      run: 'run\n',
      restricted: 'restricted\n',
      session: 'hello\n',
      check: everyUse.check,
    }

    expect(await runHost('overwritten-package', { ordinaryUser, argument })).toEqual([expected, expected])
    expect(readdirSync(project.marks)).toEqual([])
  })

  it('is refused where the supervisor cannot be kept in memory, and runs other commands from the file', async () => {
    const { workspace } = await probeSandbox()
    if (!workspace.available) return cannotTest(workspace.reason ?? '')
    const outerPrefix = prefixWithoutMemoryPrograms()
    if (outerPrefix === undefined) return
    const project = makeProject(ordinaryUser)
    const run = (sandbox?: object) =>
      runHost('overwritten-package', {
        ordinaryUser,
        outerPrefix,
        argument: { ...argumentOf(project, [], { sandbox, use: ['run'] }), overwrite: 'true' },
      })

    expect(await run()).toEqual({ run: 'run\n' })
    await expect(run({ writable: [join(project.directory, 'project')] })).rejects.toThrow(
      'ERR_SANDBOX_UNAVAILABLE',
    )
  })

  it('executes what it loads later, if it is not sealed', async () => {
    const project = makeProject(ordinaryUser)
    await runHost('overwritten-package', {
      ordinaryUser,
      argument: argumentOf(project, ['javascript'], { seal: false, use: ['session'] }),
    })
    expect(readdirSync(project.marks)).toEqual(['javascript'])
  })

  it.each(inTurn)('keeps its addon and its supervisor even if it is not sealed, %s', async (addon) => {
    const project = makeProject(ordinaryUser)
    const argument = argumentOf(project, ['supervisor', addon], { seal: false, use: ['run', 'check'] })

    expect(await runHost('overwritten-package', { ordinaryUser, argument })).toEqual({
      run: 'run\n',
      check: everyUse.check,
    })
    expect(readdirSync(project.marks)).toEqual([])
  })

  it('is not sealed for the sake of other directories', async () => {
    const project = makeProject(ordinaryUser)
    await runHost('overwritten-package', {
      ordinaryUser,
      argument: argumentOf(project, ['javascript'], { seal: true, writable: project.jobs, use: ['session'] }),
    })
    expect(readdirSync(project.marks)).toEqual(['javascript'])
  })
})

it.each(['session', 'jobs/operations.js'])(
  'a package is sealed where a mount shows its part %s from a directory that a command may write to',
  async (name) => {
    const { workspace } = await probeSandbox()
    if (!workspace.available) return cannotTest(workspace.reason ?? '')
    const project = makeProject(false)
    const root = tempDir()
    const [from, to] = [join(root, 'from'), join(project.package, 'dist', name)]
    cpSync(to, from, { recursive: true })
    const outerPrefix = prefixWithMount(from, to)
    if (outerPrefix === undefined) return cannotTest('nothing can be mounted')
    const use = ['run', 'session', 'check', 'job', 'suite']
    const overwrite = `find ${from} -type f | while read -r file; do echo 'throw 1' >"$file"; done`
    const argument = { ...argumentOf(project, [], { sandbox: { writable: [root] }, use }), overwrite }

    expect(await runHost('overwritten-package', { outerPrefix, argument })).toEqual(
      Object.fromEntries(use.map((each) => [each, everyUse[each as keyof typeof everyUse]])),
    )
  },
)
