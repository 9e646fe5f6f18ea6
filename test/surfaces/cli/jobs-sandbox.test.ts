// bashward jobs: what the sandbox has refused them, and what they have changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeJob } from '../../commands/jobs/job-files.js'
import { bashward } from './in-process.js'
import { jobsDirectory, killPrograms } from './program.js'

afterEach(killPrograms)

const id = 'bash_aaaaaa'

/** One of Workspace mode that was refused something and changed something. */
const writeConfinedJob = (): void => {
  const { record, directory } = writeJob(jobsDirectory(), id, { output: 'done\n', exit: {} })
  const sandbox = {
    name: 'workspace',
    shell: '/bin/bash',
    writable: ['/nowhere/project'],
    unreadable: [],
    sharedMemory: false,
    loopback: true,
    unixSockets: true,
    domains: [],
    scratchDirectory: '',
  }
  writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, 'utf8')), sandbox }))
  writeFileSync(join(directory, 'sandbox'), 'denied 0 /nowhere/x\0changed 0 /nowhere/project/.envrc\0')
}

const denied = '[sandbox: changing modes is allowed below /nowhere/project only; refused: chmod /nowhere/x]\n'
const changed =
  '[sandbox: this command changed /nowhere/project/.envrc: other programs may run what is in there]\n'

test('output says it beside the output', async () => {
  writeConfinedJob()

  expect(await bashward(['jobs', 'output', id])).toMatchObject({
    stdout: 'done\n',
    stderr: `[completed]\n${denied}${changed}`,
  })
})

test('wait says it beside how the job ended', async () => {
  writeConfinedJob()

  expect(await bashward(['jobs', 'wait', id])).toMatchObject({
    stdout: `${id} completed\n`,
    stderr: `${denied}${changed}`,
  })
})

test('the list says it below the jobs', async () => {
  writeConfinedJob()
  const { stdout } = await bashward(['jobs'])

  expect(stdout.endsWith(`\n${id} ${denied}${id} ${changed}`)).toBe(true)
})

test.each([['list'], ['wait', id], ['output', id]])(
  '%s --json has the fields of a result',
  async (...words) => {
    writeConfinedJob()
    const { stdout } = await bashward(['jobs', ...words.filter((word) => word !== 'list'), '--json'])
    const document = JSON.parse(stdout)

    expect(Array.isArray(document) ? document[0] : document).toMatchObject({
      sandbox: 'workspace',
      denials: [{ operation: 'chmod', target: '/nowhere/x' }],
      protectedChanged: ['/nowhere/project/.envrc'],
    })
  },
)
