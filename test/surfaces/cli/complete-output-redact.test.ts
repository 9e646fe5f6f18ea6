// What the file of long output has, without the secrets that the live view does not show either.
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { SavedOutput } from '../../../lib/surfaces/cli/complete-output.js'
import { bashward, killPrograms } from './program.js'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

afterEach(async () => {
  delete process.env.BASHWARD_TEST_TOKEN
  await killPrograms()
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

describe.each([
  ['longer than what may be given whole', { A_TOKEN_WITH_A_LONG_NAME: 'Zq8kLm4Np6' }, 4_000, 18],
  ['shorter than that', { A_TOKEN: `ghp_${'Zq8kLm4Np6Rt2Vx9Yb3Cd5Fg7'.repeat(4)}` }, 100, 1_230],
])('output that marks make %s', (_, env: Record<string, string>, lines, width) => {
  test('is in a pipe whole, and once', async () => {
    const [[name, value] = ['', '']] = Object.entries(env)
    // Not in one piece: the value is not to be found in the command.
    const [start, end] = [value.slice(0, 5), value.slice(5)]
    const rest = 'x'.repeat(width)
    const command = `v='${start}'; v+='${end}'; for ((i = 0; i < ${lines}; i++)); do echo "$v ${rest}"; done; echo END`
    const { stdout, code } = await bashward(['run', command], { env })

    expect(code).toBe(0)
    expect(stdout === `${`[removed: ${name}] ${rest}\n`.repeat(lines)}END\n`).toBe(true)
  })
})
