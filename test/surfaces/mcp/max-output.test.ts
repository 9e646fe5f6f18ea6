// --max-output: how much of output a result has, of whatever tool.
import { dirname, join } from 'node:path'
import { endJobs, storeAt } from '../../support/jobs.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward, killPrograms } from '../cli/program.js'
import { endRawServers, startRawServer } from './raw-server.js'

afterEach(async () => {
  await endRawServers()
  await killPrograms()
  await endJobs()
  killLeftovers()
  removeTempDirs()
})

const start = (...options: string[]) => {
  const jobs = storeAt(join(tempDir(), 'bashward', 'jobs'))
  const { ask } = startRawServer(options, { XDG_STATE_HOME: dirname(dirname(jobs.directory)) })
  const call = async (name: string, args: object) => {
    const { result } = await ask('tools/call', { name, arguments: args }, {})
    const { content } = result as unknown as { content: { text: string }[] }
    return content.map(({ text }) => text).join('\n')
  }
  const described = async () => {
    const { result } = await ask('tools/list', {}, {})
    return (result?.tools as { description: string }[] | undefined)?.[0]?.description
  }
  return { call, described }
}

const long = 'seq -w 1 33333'

test('a result has as much of its beginning and its end, and the description says how much', async () => {
  const { call, described } = start('--max-output', '4000')
  const text = await call('bash', { command: long })

  expect(text).toMatch(/^00001\n/)
  expect(text).toMatch(/\n33333\n\[whole output saved: [^\n]*$/)
  expect(text.length).toBeGreaterThan(3500)
  expect(text.length).toBeLessThan(4500)
  expect(await described()).toContain('at most 4000 characters)')
})

test('so has what is read of a background command, and of one that has not ended in time', async () => {
  const { call } = start('--max-output', '2000', '--background-after', '0.5')
  const unfinished = await call('bash', { command: `${long}; sleep 600`, mode: 'slow' })
  const id = /<bash_id>(.*)<\/bash_id>/.exec(unfinished)?.[1]
  const read = await call('bash_output', { bash_id: id })
  await call('kill_bash', { bash_id: id })

  expect(unfinished).toContain('STILL RUNNING')
  for (const text of [unfinished, read]) {
    expect(text).toContain('00001\n')
    expect(text.length).toBeGreaterThan(1500)
    expect(text.length).toBeLessThan(3000)
  }
})

test('without it there are 30,000 characters', async () => {
  const { call, described } = start()

  expect((await call('bash', { command: long })).length).toBeGreaterThan(29_000)
  expect(await described()).toContain('at most 30000 characters)')
})

test.each(['999', '1000001', '1e4', '-1', ''])('--max-output=%s is refused', async (value) => {
  expect(await bashward(['mcp', `--max-output=${value}`])).toMatchObject({
    code: 125,
    stdout: '',
    stderr: expect.stringContaining(
      `bashward mcp: --max-output must be a number of characters from 1000 to 1000000 (got ${JSON.stringify(value)})`,
    ),
  })
})
