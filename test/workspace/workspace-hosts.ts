// Shared by the tests of Workspace mode: hosts that have what the tests work in mounted a second time.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { BashError } from '../../lib/base/errors.js'
import { run } from '../../lib/index.js'
import { isRoot } from '../support/as-user.js'
import { cannotTest } from '../support/must-work.js'
import { tempDir } from '../support/temp-dir.js'

export { directoryOf, environmentOf, users } from '../guard/sandbox/sandbox-hosts.js'

/** Mounts of a host's own: `prefix` makes them and executes what follows. */
export interface OwnMounts {
  prefix: string[]
  /** /dev. */
  devices?: string
  /** The directory. */
  view?: string
}

const SCRIPT = 'mount --rbind /dev "$1" && mount --bind "$2" "$3" && shift 3 && exec "$@"'

/** Both are undefined where there can be none. */
export const ownMounts = (directory: string): OwnMounts => {
  if (!isRoot) return { prefix: [] }
  const devices = tempDir()
  const view = tempDir()
  const prefix = ['unshare', '--mount', 'bash', '-c', SCRIPT, 'bash', devices, directory, view]
  const [program = '', ...words] = prefix
  return spawnSync(program, [...words, 'true']).status === 0 ? { prefix, devices, view } : { prefix: [] }
}

/** Words that leave a file open for what they start. */
export const inheritedPrefix = (directory: string): { prefix: string[]; inherited: string } => {
  const inherited = join(directory, 'inherited')
  return {
    prefix: ['bash', '-c', 'echo content >"$0"; exec 9>>"$0"; exec "$@"', inherited],
    inherited,
  }
}

/** Why Workspace mode is refused here; undefined when it is offered. */
export const whyNoWorkspace = async (): Promise<string | undefined> => {
  try {
    await run('true', { cwd: tempDir(), sandbox: 'workspace' })
    return undefined
  } catch (error) {
    if (BashError.isInstance(error) && error.code === 'ERR_SANDBOX_UNAVAILABLE') return error.message
    throw error
  }
}

/** `test`, where there is Workspace mode. */
export const testWorkspace = (name: string, body: () => Promise<void>, timeoutMs?: number): void =>
  test(
    name,
    async () => {
      const reason = await whyNoWorkspace()
      if (reason !== undefined) return cannotTest(reason)
      await body()
    },
    timeoutMs,
  )
