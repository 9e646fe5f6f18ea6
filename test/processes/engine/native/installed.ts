// Copies of the package as an installation has it: no build/Release, but prebuilds.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../support/as-user.js'
import { tempDir } from '../../../support/temp-dir.js'

const release = join(packageRoot, 'build/Release')

/** The directory of the prebuilt files for this machine, in a package. */
export const prebuildsIn = (root: string): string => join(root, `prebuilds/linux-${process.arch}`)

/** Puts an addon that works, or one that does not load, into a package. */
export const putAddon = (file: string, kind: 'working' | 'broken'): void => {
  mkdirSync(join(file, '..'), { recursive: true })
  if (kind === 'working') cpSync(join(release, 'bashward.node'), file)
  else writeFileSync(file, 'not a shared library', { mode: 0o755 })
}

/** Puts the supervisor beside an addon. */
export const putSupervisor = (directory: string): void => {
  mkdirSync(directory, { recursive: true })
  cpSync(join(release, 'bashward-supervisor'), join(directory, 'bashward-supervisor'))
}

/** The package without anything native. */
export const emptyPackage = (): string => {
  const root = tempDir()
  for (const name of ['dist', 'node_modules/node-gyp-build', 'package.json']) {
    cpSync(join(packageRoot, name), join(root, name), { recursive: true })
  }
  return root
}

/** The package with a supervisor and these addons prebuilt for this machine. */
export const packageWith = (addons: Record<string, 'working' | 'broken'>): string => {
  const root = emptyPackage()
  putSupervisor(prebuildsIn(root))
  for (const [name, kind] of Object.entries(addons)) putAddon(join(prebuildsIn(root), name), kind)
  return root
}

/** A program that prints, as JSON, how a command in that package ended, or the error. */
export const hello = `
  require('bashward').run('echo hello', { cwd: '/' })
    .then(({ output }) => ({ output }), ({ code, message, cause }) => ({ code, message, errors: cause?.errors?.length }))
    .then((outcome) => console.log(JSON.stringify(outcome)))`

/** Runs {@link hello} with the native engine or not at all, and with these words before `node`. */
export const sayHello = (root: string, prefix: string[] = [], env: NodeJS.ProcessEnv = {}): unknown => {
  const [program = '', ...args] = [...prefix, process.execPath, '-e', hello]
  const options = { ...process.env, BASHWARD_ENGINE: 'native', ...env }
  return JSON.parse(execFileSync(program, args, { cwd: root, encoding: 'utf8', env: options }))
}
