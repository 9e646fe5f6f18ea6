// On a system other than Linux there is no Restricted mode, and bashward says so (REQ-BASH-009).
import type * as Os from 'node:os'
import { protections } from '../../../lib/guard/sandbox/protections.js'
import { sandboxSupport } from '../../../lib/guard/sandbox/support.js'
import { createBashTool, probeSandbox, type RunOptions, run } from '../../../lib/index.js'

jest.mock('node:os', () => ({
  ...jest.requireActual<typeof Os>('node:os'),
  platform: () => 'darwin',
  release: () => '25.1.0',
}))

const requirement = 'Restricted mode requires Linux with Landlock (5.13 or newer)'

let warn: jest.SpyInstance

beforeAll(() => {
  warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {})
})

afterAll(() => warn.mockRestore())

test('the report says so, for every protection', async () => {
  const report = await probeSandbox()

  expect(report).toMatchObject({
    available: false,
    reason: requirement,
    platform: 'darwin',
    kernel: '25.1.0',
    landlock: { abi: 0, state: 'requiresLinux' },
  })
  expect(report.protections).toEqual(
    protections.map((name) => ({ name, enforced: false, mechanisms: [], reason: requirement })),
  )
})

test('nothing is asked of the system', () => {
  expect(sandboxSupport()).toEqual({ abi: 0, state: 'requiresLinux', missing: [], refusal: requirement })
})

test('a restricted command is refused with what it takes', async () => {
  await expect(run('true', { cwd: '/', sandbox: 'restricted' })).rejects.toMatchObject({
    code: 'ERR_SANDBOX_UNAVAILABLE',
    message: `Restricted mode is not available on darwin: ${requirement}`,
  })
})

test.each<[string, RunOptions['sandbox']]>([
  ['in Workspace mode', 'workspace'],
  ['with something writable', { writable: ['.'] }],
])('a command %s is refused likewise', async (_, sandbox) => {
  await expect(run('true', { cwd: '/', sandbox })).rejects.toMatchObject({
    code: 'ERR_SANDBOX_UNAVAILABLE',
    message: `Workspace mode is not available on darwin: ${requirement}`,
  })
})

test('a host that makes tools is warned once', async () => {
  createBashTool()
  createBashTool()
  await run('true', { cwd: '/', sandbox: 'restricted' }).catch(() => {})

  expect(warn.mock.calls.filter(([, options]) => options?.code === 'BASHWARD_NO_SANDBOX')).toEqual([
    [expect.stringContaining(requirement), { type: 'BashwardWarning', code: 'BASHWARD_NO_SANDBOX' }],
  ])
})
