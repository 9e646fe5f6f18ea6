// When bashward/openai loads the SDK's sandbox: before a command can change its files, and only for those who use it.
import { execFileSync } from 'node:child_process'
import { bindOpenaiSandbox } from '../../../lib/surfaces/adapters/openai-sandbox/client.js'
import { packageRoot } from '../../support/as-user.js'

test('a client begins to load it when it is made', () => {
  const load = jest.fn(() => new Promise<never>(() => {}))
  const openaiSandbox = bindOpenaiSandbox(load)
  openaiSandbox()

  expect(load).toHaveBeenCalledTimes(1)
})

test('what could not be loaded fails its sessions, and nothing before', async () => {
  const client = bindOpenaiSandbox(() => Promise.reject(new Error('not there')))()

  await expect(client.create()).rejects.toThrow('not there')
})

test('with require it is loaded when a client has been made, and not without one', () => {
  const program = `
    const { openaiSandbox } = require('bashward/openai')
    const isLoaded = () => Object.keys(require.cache).some((file) => /agents-core.dist.sandbox.local/.test(file))
    const before = isLoaded()
    openaiSandbox()
    console.log(JSON.stringify([before, isLoaded()]))`
  const printed = execFileSync(process.execPath, ['-e', program], { cwd: packageRoot, encoding: 'utf8' })

  expect(JSON.parse(printed)).toEqual([false, true])
})
