// Installing with each package manager, and what works after that.
import { removeTempDirs } from '../support/temp-dir.js'
import {
  addPrograms,
  bashward,
  type Consumer,
  execute,
  installedManifest,
  makeConsumer,
  type Outcome,
  output,
} from './support/consumer.js'
import { expectWorking, parseReport } from './support/expectations.js'
import { nodePath, tarball, toolPath } from './support/tools.js'

const node = nodePath(24)
const npm = (major: number) => [node, toolPath(`npm-${major}`, 'bin/npm-cli.js'), 'install', '--no-audit']
/** What the links that pnpm makes call, besides Node: they are shell scripts. */
const forPnpm = ['dirname', 'sed', 'uname']
const managers: [name: string, install: string[], forLinks?: string[]][] = [
  ['npm 10', npm(10)],
  ['npm 11', npm(11)],
  ['npm 12', npm(12)],
  ['pnpm 10', [node, toolPath('pnpm-10/bin/pnpm.cjs'), 'add'], forPnpm],
  ['pnpm 12', [toolPath('pnpm-12/pnpm'), 'add'], forPnpm],
  ['bun', [toolPath('bun/bin/bun'), 'add']],
]

afterAll(removeTempDirs)

describe.each(managers)('installed with %s', (_name, install, forLinks) => {
  let consumer: Consumer
  let installation: Outcome

  beforeAll(() => {
    consumer = makeConsumer(node, forLinks)
    installation = execute(consumer, [...install, tarball])
    addPrograms(consumer)
  })

  test('the installation succeeds, and warns of nothing', () => {
    expect(installation).toMatchObject({ status: 0 })
    expect(installation.stdout + installation.stderr).not.toMatch(
      /bashward.*(warn|script)|(warn|script).*bashward/i,
    )
    expect(installedManifest(consumer)).toMatchObject({ name: 'bashward' })
  })

  test.each(['consumer.mjs', 'consumer.cjs'])(
    '%s runs a command, a restricted one and a check',
    (program) => {
      expectWorking(parseReport(output(consumer, [node, program])))
    },
  )

  test('the program runs a command', () => {
    expect(execute(consumer, [bashward, 'run', 'echo hi; exit 3'])).toMatchObject({
      status: 3,
      stdout: 'hi\n',
    })
  })

  test('the program runs a restricted command', () => {
    const { status, stdout } = execute(consumer, [bashward, 'run', '--restricted', 'echo hi; : > written'])
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^hi\nbash: .* written: Permission denied\n$/),
    })
  })

  test('the program checks a command', () => {
    expect(execute(consumer, [bashward, 'check', 'git status'])).toMatchObject({ status: 0 })
    expect(execute(consumer, [bashward, 'check', 'git add -A'])).toMatchObject({ status: 1 })
  })

  test('the program describes this machine', () => {
    expect(execute(consumer, [bashward, 'doctor']).stdout).toMatch(
      /^System +linux .*\nEngine +native: .*\nLandlock +/,
    )
  })
})

test.each([10, 11, 12])('npx of npm %i finds the program in the project', (major) => {
  const consumer = makeConsumer(node, ['sh']) // npx starts everything by it
  output(consumer, [...npm(major), tarball])
  const npx = [node, toolPath(`npm-${major}`, 'bin/npx-cli.js')]

  expect(output(consumer, [...npx, 'bashward', 'run', 'echo hi'])).toBe('hi\n')
})
