// What keeps a policy from sharing memory: /dev/shm is writable then, with all that is kept there.
import { JobStore } from '../../../lib/commands/jobs/store.js'
import { sharedMemoryRefusal } from '../../../lib/guard/sandbox/refused-roots.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { placeAt } from './policy-place.js'

afterAll(removeTempDirs)

describe('shared memory', () => {
  test('is not refused where nothing depends on it', () => {
    expect(sharedMemoryRefusal(placeAt('/', { TMPDIR: '/dev/shm' }))).toBeUndefined()
  })

  test('is refused where the home directory is in it', () => {
    const place = placeAt('/', { HOME: '/dev/shm/users/me' })

    expect(sharedMemoryRefusal(place)).toBe('/dev/shm contains the home directory, /dev/shm/users/me')
  })

  test('is refused where jobs are kept in it', () => {
    const directory = tempDir({ parent: '/dev/shm' })
    new JobStore({ directory })

    expect(sharedMemoryRefusal(placeAt('/'))).toBe(`background jobs of bashward are kept in ${directory}`)
  })
})
