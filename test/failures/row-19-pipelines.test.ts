// Row 19: the exit status of a pipeline is what bash says, SIGPIPE included.
import { run } from '../../lib/index.js'

describe('row 19: pipelines', () => {
  test.each([
    ['false | tail -1', 'completed', 0, ''],
    ['yes | head -1', 'completed', 0, 'y\n'],
    ['set -o pipefail; false | tail -1', 'failed', 1, ''],
    // 128 + SIGPIPE: node ignores that signal, and the command must not inherit it.
    ['set -o pipefail; yes | head -1', 'failed', 141, 'y\n'],
    ['yes | head -1; echo $PIPESTATUS', 'completed', 0, 'y\n141\n'],
    ['! true', 'failed', 1, ''],
    ['exit 300', 'failed', 44, ''],
    ['nosuchcommand-x 2>/dev/null', 'failed', 127, ''],
    ['/etc/passwd 2>/dev/null', 'failed', 126, ''],
  ])('`%s`: %s, %d', async (command, status, exitCode, output) => {
    const result = await run(command, { cwd: '/', timeout: 30_000 })

    expect(result).toMatchObject({ status, exitCode, output, signal: null })
  })

  test('a command ended by a signal has its name and no exit code', async () => {
    const result = await run('kill -SEGV $$', { cwd: '/' })

    expect(result).toMatchObject({ status: 'failed', exitCode: null, signal: 'SIGSEGV' })
  })

  test('every signal has its default action in the command', async () => {
    // cat, because it catches none itself.
    const { output } = await run('exec cat /proc/self/status', { cwd: '/' })

    for (const field of ['SigBlk', 'SigIgn', 'SigCgt']) {
      expect(output).toContain(`\n${field}:\t${'0'.repeat(16)}\n`)
    }
  })
})
