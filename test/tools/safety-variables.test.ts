// The rule rm-dangerous and variables: those that count are the command's, and not this process's.
import { BashSession, createBashTool, createExecTool, type SafetyRule } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

/** Asked after `rm-dangerous`: none of these commands ever runs. */
const noRm: SafetyRule = {
  name: 'no-rm',
  applies: ({ program, words }) => (program === 'rm' ? words[0] : null),
  explain: () => 'This is a test.',
}
const safety = { rules: { add: [noRm] } }
const emptying = (name: string) => `rm -rf "$${name}/"*`

const rejectedBy = async (name: string, options = {}, context = {}) => {
  const tool = createBashTool({ ...options, safety })
  const result = await tool.execute({ command: emptying(name) }, { workingDir: tempDir(), ...context })
  return result.rejection?.rule
}

const sessionAfter = async (command: string, sandbox: 'restricted' | 'unrestricted' = 'unrestricted') => {
  const workingDir = tempDir()
  const session = new BashSession({ workingDir })
  await createBashTool().execute({ command }, { workingDir, session, sandbox })
  return session
}

const token = 'BASHWARD_TEST_API_TOKEN'
const plain = 'BASHWARD_TEST_DIRECTORY'

beforeAll(() => {
  process.env[token] = '/srv/x'
  process.env[plain] = '/srv/x'
})
afterAll(() => {
  delete process.env[token]
  delete process.env[plain]
})

test('one that nothing sets is empty', async () => {
  expect(await rejectedBy('BASHWARD_TEST_UNSET')).toBe('rm-dangerous')
})

test('one of the host is set if the command gets it', async () => {
  expect(await rejectedBy(plain)).toBe('no-rm')
  expect(await rejectedBy(plain, { env: { inherit: 'none' } })).toBe('rm-dangerous')
})

test('one that is withheld from the command is empty', async () => {
  expect(await rejectedBy(token)).toBe('rm-dangerous')
})

test('the exec tool withholds nothing', async () => {
  const tool = createExecTool({ safety })
  expect(await tool.execute({ command: emptying(token) })).toMatchObject({
    error: expect.stringContaining('no-rm'),
  })
})

test.each([
  ['/srv/x', 'no-rm'],
  ['', 'rm-dangerous'],
])('one that the tool sets to %j: %s', async (value, rule) => {
  expect(await rejectedBy('ODIR', { env: { set: { ODIR: value } } })).toBe(rule)
})

test('TMPDIR is set where there is a scratch directory', async () => {
  const without = { env: { inherit: 'none', deny: ['TMPDIR'] } }
  expect(await rejectedBy('TMPDIR', { ...without, scratch: true }, { sandbox: 'restricted' })).toBe('no-rm')
  expect(await rejectedBy('TMPDIR', { ...without, scratch: true })).toBe('rm-dangerous')
})

test('one that an earlier call of the session has set is set', async () => {
  const session = await sessionAfter('ODIR=build')
  expect(await rejectedBy('ODIR', {}, { session })).toBe('no-rm')
  expect(await rejectedBy('ODIR')).toBe('rm-dangerous')
})

test('one that an earlier call of the session has unset is empty', async () => {
  const session = await sessionAfter(`unset ${plain}`)
  expect(await rejectedBy(plain, {}, { session })).toBe('rm-dangerous')
})

test('one that a call in the other mode has set is empty', async () => {
  const session = await sessionAfter('ODIR=build')
  expect(await rejectedBy('ODIR', {}, { session, sandbox: 'restricted' })).toBe('rm-dangerous')
})
