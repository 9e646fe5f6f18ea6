// A reader of the pages: a home directory, a project with the package installed, and a shell to try things in.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { endJobs, storeAt } from '../support/jobs.js'
import { tempDir } from '../support/temp-dir.js'

/** How the pages call the directory of the reader's project. */
const shownProject = '/srv/project'

const modules = join(packageRoot, 'node_modules')
const bin = join(packageRoot, 'dist/cli/bin.js')

/** As installed outside of all projects. */
const program = `bashward() { '${process.execPath}' '${bin}' "$@"; }`

export class Reader {
  readonly #home = tempDir()
  readonly #project = tempDir()
  /** What a page saves to /tmp goes with the reader. */
  readonly #temporary = tempDir()
  readonly #env: NodeJS.ProcessEnv

  /** The project is a repository with a commit. */
  constructor() {
    const { PATH, BASHWARD_PREBUILD } = process.env
    const given = { PATH, BASHWARD_PREBUILD, TMPDIR: this.#temporary, HOME: this.#home, LANG: 'C.UTF-8' }
    this.#env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const projectModules = join(this.#project, 'node_modules')
    mkdirSync(projectModules)
    symlinkSync(packageRoot, join(projectModules, 'bashward'))
    for (const name of readdirSync(modules)) symlinkSync(join(modules, name), join(projectModules, name))
    this.type('git init -q && git -c user.name=a -c user.email=b commit -q --allow-empty -m first')
  }

  /** Runs an ES module, and gives what it prints. Throws when it ends otherwise than well. */
  runModule(code: string): string {
    const { status, printed } = this.#run(process.execPath, ['--input-type=module', '-e', code])
    if (status !== 0) throw new Error(`exit status ${status}:\n${printed}`)
    return printed
  }

  /** Runs a line of a terminal, and gives what appears under it. */
  type(line: string): string {
    return this.#run('bash', ['--norc', '-c', `exec 2>&1\n${program}\n${line}`]).printed
  }

  /** Kills the jobs of this home directory that still run. */
  async endJobs(): Promise<void> {
    storeAt(join(this.#home, '.local/state/bashward/jobs'))
    await endJobs()
  }

  #run(program: string, args: string[]): { status: number | null; printed: string } {
    const { error, status, stdout, stderr } = spawnSync(
      program,
      args.map((arg) => arg.replaceAll(shownProject, this.#project)),
      { cwd: this.#project, env: this.#env, encoding: 'utf8', timeout: 50_000 },
    )
    if (error !== undefined) throw error
    const printed = `${stdout}${stderr}`
      .replaceAll(this.#project, shownProject)
      .replaceAll(this.#temporary, '/tmp')
      .replaceAll(this.#home, '~')
    return { status, printed }
  }
}
