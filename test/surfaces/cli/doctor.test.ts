// bashward doctor: what Restricted mode can promise on this machine, and on others as a shim imitates them.
import { release } from 'node:os'
import type { SandboxReport } from '../../../lib/guard/sandbox/probe.js'
import { protections } from '../../../lib/guard/sandbox/protections.js'
import { shimPrefix } from '../../support/landlock-shim.js'
import { cannotTest } from '../../support/must-work.js'
import { removeTempDirs } from '../../support/temp-dir.js'
import {
  bashward,
  binPath,
  type Exit,
  hasScript,
  killPrograms,
  startOnTerminal,
  startProgram,
} from './program.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

const parse = ({ stdout }: Exit): SandboxReport => JSON.parse(stdout) as SandboxReport

describe('bashward doctor', () => {
  test('--json prints the report, and the exit status says whether there is a Restricted mode', async () => {
    const exit = await bashward(['doctor', '--json'])
    const report = parse(exit)

    expect(exit).toMatchObject({ code: report.available ? 0 : 1, stderr: '' })
    expect(report).toMatchObject({
      platform: process.platform,
      kernel: release(),
      architecture: process.arch,
    })
    expect(report.protections.map(({ name }) => name)).toEqual(protections)
  })

  test('tells whether commands count bytes', async () => {
    const none = { LC_ALL: 'C' }
    expect(JSON.parse((await bashward(['doctor', '--json'], { env: none })).stdout)).toMatchObject({
      countsBy: 'bytes',
    })
    expect((await bashward(['doctor'], { env: none })).stdout).toMatch(/^Locale +none: /m)
  })

  test('prints the same for a person, without escape sequences where there is no terminal', async () => {
    const report = parse(await bashward(['doctor', '--json']))
    const { code, stdout, stderr } = await bashward(['doctor'], { env: { COLORTERM: 'truecolor' } })

    expect({ code, stderr }).toEqual({ code: report.available ? 0 : 1, stderr: '' })
    expect(stdout).toContain(`${process.platform} ${release()}, ${process.arch}\n`)
    for (const { name, enforced } of report.protections) {
      expect(stdout).toMatch(new RegExp(`^${name} +${enforced ? 'enforced  ' : 'not available'}`, 'm'))
    }
    expect(stdout).not.toContain('\x1b')
  })

  test('has colours on a terminal, but not with NO_COLOR', async () => {
    if (!hasScript()) return cannotTest('script(1) of util-linux is missing')
    const { stdout } = await startOnTerminal('doctor').exited()
    const plain = await startOnTerminal('doctor', { env: { NO_COLOR: '1' } }).exited()

    expect(stdout).toContain('\x1b[0;2mPROTECTION\x1b[0m')
    expect(plain.stdout).toMatch(/\r\nPROTECTION +STATE/)
    expect(plain.stdout).not.toContain('\x1b')
  })

  test.each([
    ['ENOSYS', 'notBuiltIn', /5\.13/],
    ['EOPNOTSUPP', 'disabledAtBoot', /lsm=/],
    ['EPERM', 'blocked', /seccomp profile/],
  ])('on a kernel that answers %s says why there is none, and exits with 1', async (mode, state, reason) => {
    const shim = shimPrefix(mode)
    if (!Array.isArray(shim)) return cannotTest(shim.obstacle)
    const [program = '', ...words] = [...shim, process.execPath, binPath, 'doctor']
    const json = await startProgram(program, [...words, '--json']).exited()
    const text = await startProgram(program, words).exited()

    expect(json.code).toBe(1)
    expect(parse(json)).toMatchObject({ available: false, landlock: { abi: 0, state } })
    expect(text.code).toBe(1)
    expect(text.stdout).toMatch(/^Restricted mode +not available: /m)
    expect(text.stdout).toMatch(reason)
  })

  test('on an older Landlock names the protection that is missing, and what it needs', async () => {
    const shim = shimPrefix('5')
    if (!Array.isArray(shim)) return cannotTest(shim.obstacle)
    const [program = '', ...words] = [...shim, process.execPath, binPath, 'doctor']
    const { code, stdout } = await startProgram(program, words).exited()

    expect(code).toBe(0)
    expect(stdout).toMatch(/^Landlock +enabled, ABI 5$/m)
    expect(stdout).toMatch(/^signals +not available +needs Landlock ABI 6/m)
    expect(stdout).toMatch(/^filesystem +enforced +Landlock$/m)
  })
})
