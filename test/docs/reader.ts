// A reader of the pages: a home directory, a project with the package installed, and a shell to try things in.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { storeAt } from '../support/jobs.js'
import { tempDir } from '../support/temp-dir.js'

/** How the pages call the directory of the reader's project. */
const shownProject = '/srv/project'

/** A framework beside the package itself. */
const installed = { bashward: packageRoot, ai: join(packageRoot, 'node_modules/ai') }

const bin = join(packageRoot, 'dist/cli/bin.js')

/** No package may be looked for anywhere else. */
const npx = `npx() { [ "$1" = bashward ] && shift && '${process.execPath}' '${bin}' "$@"; }`

export class Reader {
  readonly #home = tempDir()
  readonly #project = tempDir()
  readonly #env: NodeJS.ProcessEnv

  constructor() {
    const { PATH, TMPDIR, BASHWARD_PREBUILD } = process.env
    const given = { PATH, TMPDIR, BASHWARD_PREBUILD, HOME: this.#home, LANG: 'C.UTF-8' }
    this.#env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    storeAt(join(this.#home, '.local/state/bashward/jobs'))
    mkdirSync(join(this.#project, 'node_modules'))
    for (const [name, target] of Object.entries(installed)) {
      symlinkSync(target, join(this.#project, 'node_modules', name))
    }
  }

  /** Runs an ES module, and gives what it prints. */
  runModule(code: string): string {
    const node = ['--input-type=module', '-e', code.replaceAll(shownProject, this.#project)]
    return this.#run(process.execPath, node)
  }

  /** Runs a line of a terminal, and gives what appears under it. */
  type(line: string): string {
    return this.#run('bash', ['--norc', '-c', `exec 2>&1\n${npx}\n${line}`])
  }

  #run(program: string, args: string[]): string {
    const options = { cwd: this.#project, env: this.#env, encoding: 'utf8', timeout: 50_000 } as const
    const { stdout, stderr, error } = spawnSync(program, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (error !== undefined) throw error
    return `${stdout}${stderr}`.replaceAll(this.#project, shownProject).replaceAll(this.#home, '~')
  }
}
