// bashward run --restricted, with each profile.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { once } from '../../../lib/base/util/lazy.js'
import { shimPrefix } from '../../support/landlock-shim.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { bashward, binPath, killPrograms, startProgram } from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

/** Why there is no Restricted mode here; undefined when there is. */
const obstacle = once(async (): Promise<string | undefined> => {
  const { code, stdout } = await bashward(['doctor'])
  return code === 0 ? undefined : stdout
})

const connect = 'exec 3<>/dev/tcp/127.0.0.1/9'

const profiles = ['bash', 'exec', 'suite'] as const

describe.each(profiles)('bashward run --restricted --profile %s', (profile) => {
  const options = ['run', '--profile', profile, '--restricted']

  test('reads and computes', async () => {
    const reason = await obstacle()
    if (reason !== undefined) return cannotTest(reason)

    expect(await bashward([...options, 'head -c 4 /etc/passwd | wc -c'])).toMatchObject({
      code: 0,
      stdout: '4\n',
      stderr: '',
    })
  })

  test('does not write', async () => {
    const reason = await obstacle()
    if (reason !== undefined) return cannotTest(reason)
    const file = join(tempDir(), 'file')
    const { code, stdout, stderr } = await bashward([...options, `echo hi > '${file}'`])

    expect(code).toBe(1)
    expect(`${stdout}${stderr}`).toContain(`${file}: Permission denied\n`)
    expect(existsSync(file)).toBe(false)
  })

  test('--scratch gives it a directory that is gone afterwards', async () => {
    const reason = await obstacle()
    if (reason !== undefined) return cannotTest(reason)
    const { code, stdout } = await bashward([
      ...options,
      '--scratch',
      'echo kept > "$TMPDIR/file"; cat "$TMPDIR/file"; echo "$TMPDIR"',
    ])
    const [content, directory = ''] = stdout.split('\n')

    expect({ code, content }).toEqual({ code: 0, content: 'kept' })
    expect(directory).toMatch(/^\//)
    expect(existsSync(directory)).toBe(false)
  })

  test('where it cannot be enforced, it does not run', async () => {
    const shim = shimPrefix('ENOSYS')
    if (!Array.isArray(shim)) return cannotTest(shim.obstacle)
    const file = join(tempDir(), 'file')
    const [program = '', ...words] = [...shim, process.execPath, binPath, ...options]
    const { code, stdout, stderr } = await startProgram(program, [...words, `echo hi > '${file}'`]).exited()

    expect({ code, stdout }).toEqual({ code: 125, stdout: '' })
    expect(stderr).toMatch(/^\[sandbox unavailable: .*Linux 5\.13.*\]$/m)
    expect(existsSync(file)).toBe(false)
  })
})

describe('bashward run --restricted', () => {
  test('says on stderr what was probably refused', async () => {
    const reason = await obstacle()
    if (reason !== undefined) return cannotTest(reason)
    expect(await bashward(['run', '--restricted', connect])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('[sandbox: network is blocked in Restricted mode]\n'),
    })
  })

  test('--json has the mode, what is enforced, and the probable cause', async () => {
    const reason = await obstacle()
    if (reason !== undefined) return cannotTest(reason)
    const { stdout } = await bashward(['run', '--restricted', '--json', connect])

    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      sandbox: 'restricted',
      enforced: expect.arrayContaining(['filesystem', 'network']),
      denied: 'network is blocked in Restricted mode',
    })
  })
})
