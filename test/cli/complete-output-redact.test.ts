// What the file of long output has, without the secrets that the live view does not show either.
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { SavedOutput } from '../../lib/cli/complete-output.js'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

afterEach(() => {
  delete process.env.BASHWARD_TEST_TOKEN
})

test('a secret that comes to the file in pieces is taken out of its copy', async () => {
  process.env.BASHWARD_TEST_TOKEN = secret
  const saved = new SavedOutput()
  const file = openSync(join(saved.options?.directory ?? '', 'file'), 'wx')
  let shown = ''
  const write = async (text: string) => {
    shown += text
    return true
  }
  try {
    for (const piece of [`a ${secret.slice(0, 9)}`, `${secret.slice(9)} b`, ' ghp_01']) {
      writeSync(file, piece)
      await saved.copy(write, false)
    }
    await saved.copy(write, true)
  } finally {
    closeSync(file)
    await saved.remove()
  }

  expect(shown).toBe('a [removed: BASHWARD_TEST_TOKEN] b ghp_01')
})
