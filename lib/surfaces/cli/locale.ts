// Whether commands count characters here, or bytes: for `bashward doctor`.

import { run } from '../../commands/run/run.js'

const oneCharacter = 'x=\u00e4; echo ${#x}'

/** What bash counts with the variables that commands get; undefined where it cannot be tried out. Never rejects. */
export async function countedBy(): Promise<'characters' | 'bytes' | undefined> {
  try {
    const { output } = await run(oneCharacter, { cwd: '/', timeout: 10_000 })
    return output === '1\n' ? 'characters' : output === '2\n' ? 'bytes' : undefined
  } catch {
    return undefined
  }
}
