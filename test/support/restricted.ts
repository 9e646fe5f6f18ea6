// Tests that need Restricted mode.
import { BashError } from '../../lib/base/errors.js'
import { run } from '../../lib/index.js'
import { cannotTest } from './must-work.js'

/** Why Restricted mode is refused here; undefined when it is offered. */
export const whyNotRestricted = async (): Promise<string | undefined> => {
  try {
    await run('true', { cwd: '/', sandbox: 'restricted' })
    return undefined
  } catch (error) {
    if (BashError.isInstance(error) && error.code === 'ERR_SANDBOX_UNAVAILABLE') return error.message
    throw error
  }
}

/** `test`, where there is Restricted mode. */
export const testRestricted = (name: string, body: () => Promise<void>): void =>
  test(name, async () => {
    const reason = await whyNotRestricted()
    if (reason !== undefined) return cannotTest(reason)
    await body()
  })
