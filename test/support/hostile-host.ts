// A program of Node's where a command has put programs of every name in front of PATH, and npm was told to use them.
import { join } from 'node:path'
import { findBash } from '../../lib/guard/sandbox/find-bash.js'
import type { EngineName } from '../../lib/processes/engine/engine.js'
import { type Executed, traceProgram } from './executed.js'
import { plantPath } from './planted-path.js'
import { tempDir } from './temp-dir.js'

/** That of the exec tool is the second. */
const shells = [findBash(), '/bin/bash']

interface Given {
  input?: string
  engine?: EngineName
  /** What else may be executed. */
  allowed?: readonly string[]
}

export interface OnHostileHost extends Executed {
  /** What of the planted programs has been started. */
  marks: string[]
  /** What the program, and not a bash, has executed besides the supervisor, bash and Node. */
  others: string[]
}

/** @param words for Node */
export const onHostileHost = (
  words: readonly string[],
  { input = '', engine = 'native', allowed = [] }: Given = {},
): OnHostileHost => {
  const [{ directory, marks }, cwd, state] = [plantPath(), tempDir(), tempDir()]
  const env = {
    PATH: `${directory}:./bin:${process.env.PATH}`,
    HOME: state,
    XDG_STATE_HOME: state,
    BASHWARD_ENGINE: engine,
    INIT_CWD: directory,
    npm_config_arch: 'planted',
    npm_config_platform: 'planted',
    npm_config_prefix: directory,
    npm_config_local_prefix: directory,
    npm_config_script_shell: join(directory, 'sh'),
    npm_execpath: join(directory, 'npm'),
    npm_node_execpath: join(directory, 'node'),
    npm_package_json: join(directory, 'package.json'),
  }
  const executed = traceProgram([process.execPath, ...words], shells, { cwd, env, input })
  const known = [process.execPath, '/proc/self/exe', ...shells, ...allowed]
  const isOther = (path: string) => !known.includes(path) && !/(?:^|\/)bashward-supervisor$/.test(path)
  return { ...executed, marks: marks(), others: executed.paths.filter(isOther) }
}
