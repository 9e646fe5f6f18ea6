// Where a ledger may be.
import fs from 'node:fs'
import { join } from 'node:path'
import { canBecomeOrdinaryUser, isRoot } from '../../support/as-user.js'
import { onlyRootCanTest } from '../../support/must-work.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'
import { LedgerCalls } from './ledger-call.js'

afterEach(() => jest.restoreAllMocks())
afterEach(removeTempDirs)

/** As if the directory were on such a file system. */
const onFileSystem = (type: number) => {
  const { statfsSync } = fs
  jest
    .spyOn(fs, 'statfsSync')
    .mockImplementation(((path: string) => ({ ...statfsSync(path), type })) as never)
}

describe('a ledger on a file system that other machines may share', () => {
  test.each([
    ['NFS', 0x6969],
    ['9p', 0x01021997],
    ['FUSE', 0x65735546],
    // As statfs(2) gives it to a program with signed numbers.
    ['SMB', 0xfe534d42 | 0],
    ['Ceph', 0x00c36400],
  ])('is refused by name: %s', async (name, type) => {
    onFileSystem(type)
    const calls = new LedgerCalls()
    const result = await calls.send('a', 'true')

    expect(result).toMatchObject({ status: 'error', error: { code: 'ERR_CALL_DIRECTORY' } })
    expect(result.error?.message).toContain(
      `${calls.ledger.directory}: EPERM (operation not permitted): ${name} may be shared with other machines, and ` +
        'promises nothing of what a ledger needs; `anyFileSystem: true` takes it all the same',
    )
    expect(calls.runs('a')).toBe(0)
  })

  test('is taken with anyFileSystem', async () => {
    onFileSystem(0x6969)
    const calls = new LedgerCalls({ anyFileSystem: true })
    expect(await calls.send('a', 'echo out')).toMatchObject({ status: 'completed' })
    expect(await calls.send('a', 'echo out')).toMatchObject({ output: 'out\n', replayed: true })
  })

  test('is refused, too, when it has come to be there', async () => {
    const calls = new LedgerCalls()
    await calls.send('a', 'true')
    onFileSystem(0x6969)
    const now = performance.now()
    jest.spyOn(performance, 'now').mockReturnValue(now + 2000)
    expect(await calls.send('b', 'true')).toMatchObject({ error: { code: 'ERR_CALL_DIRECTORY' } })
  })
})

describe('a directory is refused that', () => {
  const refusalOf = async (directory: string) => {
    const calls = new LedgerCalls({ directory })
    const { error } = await calls.send('a', 'true')
    expect(calls.runs('a')).toBe(0)
    return error
  }

  test('others can write to', async () => {
    const directory = join(tempDir(), 'calls')
    fs.mkdirSync(directory)
    fs.chmodSync(directory, 0o777)
    expect(await refusalOf(directory)).toMatchObject({
      code: 'ERR_CALL_DIRECTORY',
      message: expect.stringContaining('its mode 0777 lets others write to it (allowed: 0700)'),
    })
  })

  test('belongs to somebody else', async () => {
    if (!isRoot || !canBecomeOrdinaryUser()) return onlyRootCanTest('only root can give a directory away')
    const directory = tempDir()
    fs.chownSync(directory, 12_345, 12_345)
    fs.chmodSync(directory, 0o755)
    expect(await refusalOf(directory)).toMatchObject({
      code: 'ERR_CALL_DIRECTORY',
      message: expect.stringContaining('belongs to user 12345, not to 0'),
    })
  })

  test('is a file', async () => {
    const directory = join(tempDir(), 'file')
    fs.writeFileSync(directory, '')
    expect(await refusalOf(directory)).toMatchObject({
      code: 'ERR_CALL_DIRECTORY',
      message: expect.stringContaining('must be a directory'),
    })
  })

  test('cannot be made', async () => {
    const parent = tempDir()
    fs.writeFileSync(join(parent, 'file'), '')
    expect(await refusalOf(join(parent, 'file/calls'))).toMatchObject({
      code: 'ERR_CALL_DIRECTORY',
      message: expect.stringMatching(/: ENOTDIR /),
    })
  })
})

test('a directory is made with those above it, for this user alone', async () => {
  const directory = join(tempDir(), 'a/b/calls')
  const calls = new LedgerCalls({ directory })
  expect(await calls.send('a', 'true')).toMatchObject({ status: 'completed' })
  expect(fs.statSync(directory).mode & 0o7777).toBe(0o700)
  for (const name of fs.readdirSync(directory)) {
    expect(fs.statSync(join(directory, name)).mode & 0o7777).toBe(0o600)
  }
})

test('the name of a directory may have any letters', async () => {
  const directory = join(tempDir(), 'a\nb \u{1f600}\\ "')
  const calls = new LedgerCalls({ directory })
  expect(await calls.send('a', 'echo out')).toMatchObject({ output: 'out\n' })
  expect(await calls.send('a', 'echo out')).toMatchObject({ output: 'out\n', replayed: true })
  expect(fs.readdirSync(directory)).toHaveLength(1)
})
