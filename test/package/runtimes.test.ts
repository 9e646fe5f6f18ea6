// One installation under each runtime that is supported.
import { removeTempDirs } from '../support/temp-dir.js'
import { addPrograms, bashward, type Consumer, execute, makeConsumer, output } from './support/consumer.js'
import { expectWorking, parseReport } from './support/expectations.js'
import { nodePath, nodeVersions, tarball, toolPath } from './support/tools.js'

let consumer: Consumer

beforeAll(() => {
  const node = nodePath(24)
  consumer = makeConsumer(node)
  output(consumer, [node, toolPath('npm-11/bin/npm-cli.js'), 'install', '--no-audit', tarball])
  addPrograms(consumer)
})

afterAll(removeTempDirs)

describe.each([
  ...nodeVersions.map((version) => [`Node ${version}`, nodePath(version)] as const),
  ['bun', toolPath('bun/bin/bun')] as const,
])('%s', (_, runtime) => {
  test.each(['consumer.mjs', 'consumer.cjs'])('%s runs commands, a session, a job and a check', (program) => {
    const { stdout, stderr } = execute(consumer, [runtime, program])

    expect(stderr).toBe('') // no warning of an experimental feature, for example
    expectWorking(parseReport(stdout))
  })

  test('the command line', () => {
    const { status, stdout } = execute(consumer, [runtime, bashward, 'run', 'echo hi; exit 3'])

    expect({ status, stdout }).toEqual({ status: 3, stdout: 'hi\n' })
  })

  test('an installation for another C library says what was tried', () => {
    const program = `
      process.env.BASHWARD_PREBUILD = '/nonexistent'
      require('bashward').run('true', { cwd: '/' }).catch(({ code, message }) => console.log(code, message))`

    expect(output(consumer, [runtime, '-e', program])).toMatch(
      /^ERR_UNSUPPORTED_PLATFORM .*: this is linux-(x64|arm64) with glibc; nothing is built for it in \/nonexistent/,
    )
  })
})

test('an older Node is refused by name', () => {
  const problem = 'bashward needs Node ^20.19.0 || >=22.12.0, this is 18.20.4\n'

  expect(execute(consumer, [nodePath(18), bashward, 'doctor'])).toMatchObject({
    status: 125,
    stderr: problem,
  })
  expect(execute(consumer, [nodePath(18), 'consumer.cjs']).stderr).toContain(`Error: ${problem}`)
})
