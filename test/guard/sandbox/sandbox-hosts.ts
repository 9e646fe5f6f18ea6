// Shared by the tests of both modes: the users to test as, what those users get, and how attacks are told.
import { join } from 'node:path'
import { asRoot, rootPrefix } from '../../support/as-root.js'
import { canBecomeOrdinaryUser, isRoot, ordinaryUid } from '../../support/as-user.js'
import { tempDir } from '../../support/temp-dir.js'
import { buildAttackProgram } from './attacks.cjs'

/** The one who runs the tests and, when that is root, an ordinary one. */
export const users: { user: string; ordinaryUser: boolean }[] =
  isRoot && canBecomeOrdinaryUser()
    ? [
        { user: 'root', ordinaryUser: false },
        { user: `uid ${ordinaryUid}`, ordinaryUser: true },
      ]
    : [{ user: `uid ${process.getuid?.()}`, ordinaryUser: false }]

/** A directory that belongs to the user of the test, below one that everybody can enter. */
export const directoryOf = (ordinaryUser: boolean): string =>
  tempDir(ordinaryUser ? { owner: ordinaryUid } : {})

/** Builds the attack program where every user can run it; undefined without a C compiler. */
export const attackProgram = (): string | undefined => {
  const program = join(tempDir(), 'attack')
  return buildAttackProgram(program) ? program : undefined
}

/** An environment whose HOME is an empty directory of the user of the test: git, npm and others look there. */
export const environmentOf = (ordinaryUser: boolean): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: directoryOf(ordinaryUser),
  // It asks the registry once a day, which is nothing to compare.
  npm_config_update_notifier: 'false',
})

/** What a host says of one attack. */
export interface Verdict {
  outcome: string
  expected: string[]
  ok: boolean
  effect?: string
  limitation?: string
  /** Why the attack could not be prepared. */
  unavailable?: string
  /** Why no command can be run in this mode. */
  refusal?: string
  /** An error of the test itself. */
  thrown?: string
}

/** Only root can make it; an ordinary user's command then runs it. */
export const setuidProgram = (program: string | undefined): string | undefined => {
  if (rootPrefix() === undefined || program === undefined) return undefined
  const copy = join(tempDir(), 'attack')
  asRoot('install', '--owner=0', '--group=0', '--mode=4755', program, copy)
  return copy
}
