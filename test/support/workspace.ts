// Tests that need Workspace mode.
import { probeSandbox } from '../../lib/index.js'
import { cannotTest } from './must-work.js'

/** `test`, where there is Workspace mode. */
export const testWorkspace = (name: string, body: () => Promise<void>): void =>
  test(name, async () => {
    const { workspace } = await probeSandbox()
    if (!workspace.available) return cannotTest(workspace.reason ?? '')
    await body()
  })
