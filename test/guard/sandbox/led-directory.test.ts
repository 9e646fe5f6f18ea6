// Directories that the host writes into, after commands that could make a link on the way to them.
import { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { prepareDirectory } from '../../../lib/commands/calls/directory.js'
import { checkJobsDirectory } from '../../../lib/commands/jobs/directory.js'
import { newSavePath } from '../../../lib/commands/run/save-output.js'
import { planPolicy } from '../../../lib/guard/sandbox/confinement.js'
import { rememberWritable } from '../../../lib/guard/sandbox/ever-writable.js'
import { ledDirectory } from '../../../lib/guard/sandbox/led-directory.js'
import { type CheckedPolicy, checkSandbox } from '../../../lib/guard/sandbox/policy.js'
import { CallLedger } from '../../../lib/index.js'
import { saveSnapshot } from '../../../lib/surfaces/adapters/openai-sandbox/snapshots.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { placeAt } from './policy-place.js'

afterAll(removeTempDirs)

/** `led` in a project leads to a directory outside; `dangling` to one that is not there. */
const setUp = () => {
  const base = realpathSync(tempDir())
  const [project, outside] = [join(base, 'project'), join(base, 'outside')]
  mkdirSync(join(project, 'own'), { recursive: true })
  mkdirSync(outside, { mode: 0o700 })
  symlinkSync('../outside', join(project, 'led'))
  symlinkSync('../outside/new', join(project, 'dangling'))
  symlinkSync('own', join(project, 'within'))
  rememberWritable([project])
  const refusal = (to: string) => `a symbolic link in ${project}, where commands can write, leads to ${to}`
  return { project, outside, refusal }
}

test('a link that a command may have made leads nobody out of what it could write', () => {
  const { project, outside, refusal } = setUp()
  const refusals = ['led', 'led/below/it', 'dangling', 'dangling/below'].map(
    (name) => ledDirectory(join(project, name)).refusal,
  )

  expect(refusals).toEqual(
    [outside, `${outside}/below/it`, `${outside}/new`, `${outside}/new/below`].map(refusal),
  )
})

test('other links are followed, also to what is not there yet', () => {
  const { project, outside } = setUp()
  symlinkSync(project, join(outside, 'link'))

  expect(ledDirectory(join(project, 'within', 'new'))).toEqual({ real: join(project, 'own', 'new') })
  expect(ledDirectory(join(outside, 'link', 'own'))).toEqual({ real: join(project, 'own') })
  expect(ledDirectory(join(outside, 'none', 'new'))).toEqual({ real: join(outside, 'none', 'new') })
})

test.each(['led', 'dangling'])('nothing of the host is written there: %s', async (name) => {
  const { project, outside, refusal } = setUp()
  const directory = join(project, name)
  const leads = refusal(name === 'led' ? outside : join(outside, 'new'))
  const refused = (code: string) => expect.objectContaining({ code, message: expect.stringContaining(leads) })

  expect(() => newSavePath({ directory, maxBytes: 1 })).toThrow(
    expect.objectContaining({
      code: 'ERR_INVALID_INPUT',
      message: `saveOutput.directory: ${directory}: cannot have saved output: ${leads}`,
    }),
  )
  expect(() => checkJobsDirectory(directory)).toThrow(refused('ERR_JOB_DIRECTORY'))
  expect(() => prepareDirectory(new CallLedger({ directory }))).toThrow(refused('ERR_CALL_DIRECTORY'))
  const sdk = { isNoopSnapshotSpec: () => false } as never
  const spec = { type: 'local', baseDir: directory } as const
  await expect(saveSnapshot(sdk, spec, async () => new Uint8Array())).rejects.toThrow(
    `snapshot.baseDir: ${directory} cannot have snapshots: ${leads}`,
  )
  expect(readdirSync(outside)).toEqual([])
})

test('a link in the memory that a policy shares leads nobody out of it', () => {
  const [shared, outside] = [tempDir({ parent: '/dev/shm' }), realpathSync(tempDir())]
  symlinkSync(outside, join(shared, 'led'))
  planPolicy(checkSandbox('sandbox', { sharedMemory: true }) as CheckedPolicy, placeAt('/'))

  expect(ledDirectory(join(shared, 'led')).refusal).toBe(
    `a symbolic link in /dev/shm, where commands can write, leads to ${outside}`,
  )
})
