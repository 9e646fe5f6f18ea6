// Programs that bashward was bundled into by esbuild: what is found, and what is said where something is not.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, buildSync } from 'esbuild'
import { once } from '../../../lib/base/util/lazy.js'
import {
  emptyPackage,
  packageWith,
  prebuildsIn,
  putAddon,
  putSupervisor,
} from '../../processes/engine/native/installed.js'
import { packageRoot } from '../../support/as-user.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

afterEach(removeTempDirs)

const program = `
  import { JobStore, createBashTool, run } from 'bashward'
  const main = async () => {
    const jobs = new JobStore({ directory: process.env.JOBS })
    const bash = createBashTool({ jobs })
    const hello = await run('echo hello', { cwd: '/' })
    const started = await bash.execute({ command: 'echo job', mode: 'background' }, { workingDir: '/' })
    const ended = started.jobId && (await jobs.wait(started.jobId))
    const checked = await bash.execute({ command: 'git add .' }, { workingDir: '/' })
    console.log(JSON.stringify({
      output: hello.output,
      engine: hello.usage === null ? 'portable' : 'native',
      job: ended?.status ?? started.error,
      checked: checked.status,
    }))
  }
  main()`

/** The program, bundled with the package unless the options say otherwise. */
const build = (options: BuildOptions): Uint8Array => {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: packageRoot },
    bundle: true,
    platform: 'node',
    write: false,
    logLevel: 'error',
    ...options,
  })
  return outputFiles?.[0]?.contents as Uint8Array
}

const commonjs = once(() => build({ format: 'cjs' }))

/** A directory with a program in it. */
const put = (contents: Uint8Array, extension = 'cjs'): string => {
  const directory = tempDir()
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'an-agent' }))
  mkdirSync(join(directory, 'dist'))
  writeFileSync(join(directory, `dist/agent.${extension}`), contents)
  return directory
}

const bundle = (): string => put(commonjs())

const install = (directory: string, root: string): void => {
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(root, join(directory, 'node_modules/bashward'))
}

/** What the program prints, with the warnings and errors on stderr. */
const start = (directory: string, cwd = '/', extension = 'cjs'): Record<string, unknown> => {
  const env = { ...process.env, BASHWARD_ENGINE: '', BASHWARD_PREBUILD: '', JOBS: tempDir() }
  const { stdout, stderr } = spawnSync(process.execPath, [join(directory, `dist/agent.${extension}`)], {
    cwd,
    encoding: 'utf8',
    env,
  })
  const warnings = stderr.match(/\[BASHWARD_\w+\].*/g) ?? []
  return stdout === '' ? { stderr } : { ...JSON.parse(stdout), warnings }
}

const native = { output: 'hello\n', engine: 'native', job: 'completed', checked: 'rejected', warnings: [] }

const keepExternal = 'is bashward bundled? Keep it external: docs/containers-and-ci.md, Bundlers'

describe('a CommonJS bundle', () => {
  test('has the binaries of the package that is installed for it', () => {
    const directory = bundle()
    install(directory, packageWith({ 'bashward.glibc.node': 'working' }))

    expect(start(directory)).toEqual(native)
  })

  test('has the binaries that are beside it', () => {
    const directory = bundle()
    putAddon(join(prebuildsIn(join(directory, 'dist')), 'bashward.glibc.node'), 'working')
    putSupervisor(prebuildsIn(join(directory, 'dist')))

    expect(start(directory)).toEqual(native)
  })

  test('that finds none says so once, and what to do', () => {
    expect(start(bundle())).toMatchObject({
      output: 'hello\n',
      engine: 'portable',
      job: { code: 'ERR_SPAWN', message: expect.stringContaining(`find job-program.js (${keepExternal})`) },
      warnings: [expect.stringContaining(keepExternal)],
    })
  })

  test('finds the program for portable jobs beside it', () => {
    const directory = bundle()
    cpSync(join(packageRoot, 'dist/engine/portable/job-program.js'), join(directory, 'dist/job-program.js'))

    expect(start(directory)).toMatchObject({ engine: 'portable', job: 'completed' })
  })

  test('leaves another version of the package alone', () => {
    const root = packageWith({ 'bashward.glibc.node': 'working' })
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, version: '0.0.1-other' }))
    const directory = bundle()
    install(directory, root)

    expect(start(directory)).toMatchObject({ engine: 'portable', warnings: [expect.any(String)] })
  })

  test('does not look where it happens to be started', () => {
    const elsewhere = tempDir()
    install(elsewhere, packageWith({ 'bashward.glibc.node': 'working' }))

    expect(start(bundle(), elsewhere)).toMatchObject({ engine: 'portable' })
  })
})

describe('an ES module', () => {
  test('with the package in it says that this cannot be', () => {
    expect(start(put(build({ format: 'esm' }), 'mjs'), '/', 'mjs')).toEqual({
      stderr: expect.stringContaining(
        'bashward cannot be bundled into an ES module. Keep it external: docs/containers-and-ci.md, Bundlers',
      ),
    })
  })

  test('that leaves the package external works', () => {
    const directory = put(build({ format: 'esm', external: ['bashward'] }), 'mjs')
    install(directory, packageWith({ 'bashward.glibc.node': 'working' }))

    expect(start(directory, '/', 'mjs')).toEqual(native)
  })
})

test('a package without its binaries names the page, too', () => {
  const directory = put(build({ format: 'cjs', external: ['bashward'] }))
  install(directory, emptyPackage())

  expect(start(directory)).toMatchObject({
    engine: 'portable',
    job: 'completed',
    warnings: [
      expect.stringContaining('prebuilds/ of the package has been left behind: docs/containers-and-ci.md'),
    ],
  })
})
