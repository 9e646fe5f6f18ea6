// A directory into which the package is installed, on a machine that has Node and bash and nothing else: no compiler, no
// CMake, no Python.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../support/temp-dir.js'

export interface Consumer {
  directory: string
  environment: NodeJS.ProcessEnv
}

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

/** What `npm run` has told this process of itself is none of another npm's business. */
const isOfThisRun = (name: string): boolean => /^(npm_|INIT_CWD$|NODE_OPTIONS$|BASHWARD_)/i.test(name)
const isOfTheNetwork = (name: string): boolean => /^npm_config_(registry|cafile|.*proxy)$/i.test(name)

/** An empty directory; on PATH there are `node`, bash, and these programs of the machine. */
export const makeConsumer = (node: string, programs: string[] = []): Consumer => {
  const root = tempDir()
  const [directory, bin] = [join(root, 'project'), join(root, 'bin')]
  mkdirSync(directory)
  mkdirSync(bin)
  symlinkSync(node, join(bin, 'node'))
  for (const name of ['bash', ...programs]) symlinkSync(findProgram(name), join(bin, name))
  writeFileSync(join(directory, 'package.json'), '{ "private": true }\n')
  const kept = Object.entries(process.env).filter(([name]) => !isOfThisRun(name) || isOfTheNetwork(name))
  const environment = {
    ...Object.fromEntries(kept),
    PATH: bin,
    // What is tried is whether the addon works.
    BASHWARD_ENGINE: 'native',
    BUN_INSTALL_CACHE_DIR: join(root, 'bun'),
    PNPM_HOME: join(root, 'pnpm'),
  }
  return { directory, environment }
}

const findProgram = (name: string): string => {
  const directory = ['/bin', '/usr/bin'].find((dir) => existsSync(join(dir, name)))
  if (directory === undefined) throw new Error(`there is no ${name} on this machine`)
  return realpathSync(join(directory, name))
}

/** Puts the programs of test/package/consumer beside the installed package. */
export const addPrograms = ({ directory }: Consumer): void =>
  cpSync(join(__dirname, '../consumer'), directory, { recursive: true })

/** Runs a program in the consumer's directory to its end. */
export const execute = (consumer: Consumer, [program = '', ...args]: string[]): Outcome => {
  const { directory: cwd, environment: env } = consumer
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr: error === undefined ? stderr : String(error) }
}

/** Runs a program that must succeed; returns what it prints. */
export const output = (consumer: Consumer, words: string[]): string => {
  const { status, stdout, stderr } = execute(consumer, words)
  if (status !== 0) throw new Error(`${words.join(' ')}: exit status ${status}\n${stdout}${stderr}`)
  return stdout
}

/** The installed program, by the link that the package manager has made. */
export const bashward = join('node_modules', '.bin', 'bashward')

/** The package.json of the installed package. */
export const installedManifest = ({ directory }: Consumer): Record<string, unknown> =>
  JSON.parse(readFileSync(join(directory, 'node_modules/bashward/package.json'), 'utf8'))
