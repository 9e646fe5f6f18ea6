// The text of a command is not in the command line of its shell, where `pkill -f TEXT` would find it; and bash notices
// nothing of that.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { BashSession, createBashTool, run } from '../../../lib/index.js'
import { endJobs, tempStore, waitForStatusLine } from '../../support/jobs.js'
import { killLeftovers } from '../../support/processes.js'
import { removeTempDirs } from '../../support/temp-dir.js'

afterEach(killLeftovers)
afterEach(endJobs)
afterAll(removeTempDirs)

/** No process but those of the test has it in its command line. */
const token = (): string => `bashward-${randomBytes(8).toString('hex')}`

describe('pkill -f with a word of its own command', () => {
  test('does not end the shell', async () => {
    const word = token()
    const result = await run(`pkill -f ${word}; echo on`, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', output: 'on\n' })
  })

  test('ends the program that is meant', async () => {
    const word = token()
    const start = `bash -c 'echo up; exec -a ${word} sleep 300' & `
    const wait = `until pgrep -f ^${word}; do sleep .01; done >/dev/null; `
    const result = await run(`${start}${wait}pkill -f ^${word}; wait $!; echo $?`, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', output: 'up\n143\n', survivors: [] })
  })

  test('does not end a subshell, or the other side of a pipe', async () => {
    const word = token()
    const result = await run(`(pkill -f ${word}; echo one) | cat; echo two`, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', output: 'one\ntwo\n' })
  })

  test('does not end the shell of a session', async () => {
    const tool = createBashTool()
    const context = { workingDir: '/', session: new BashSession({ workingDir: '/' }) }

    expect(await tool.execute({ command: `pkill -f ${token()}; echo on` }, context)).toMatchObject({
      output: 'on\n',
    })
    expect(await tool.execute({ command: `pgrep -f ${token()}` }, context)).toMatchObject({ exitCode: 1 })
  })

  test('does not end a background job', async () => {
    const tool = createBashTool({ jobs: tempStore() })
    const input = { command: `pkill -f ${token()}; echo on`, mode: 'background' }
    const { outputFile } = await tool.execute(input, { workingDir: '/' })

    expect(await waitForStatusLine(outputFile)).toMatch(/^on\n/)
  })

  test('does not end the shell of a long command', async () => {
    const word = token()
    const result = await run(`pkill -f ${word}; echo on #${' '.repeat(200_000)}`, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', output: 'on\n' })
  })
})

/** What bash itself makes of `bash -c -- COMMAND`. */
const ofBash = (command: string) => {
  const words = ['-c', 'exec 2>&1 0</dev/null; exec -a bash bash -c -- "$1"', 'sh', command]
  const { stdout, status } = spawnSync('bash', words, { cwd: '/', encoding: 'utf8' })
  return { output: stdout, exitCode: status }
}

test.each([
  ['$0, arguments and flags', 'echo "$0" $# "$@" $- "$BASH_ARGV0"; :'],
  ['BASH_EXECUTION_STRING', 'echo "[$BASH_EXECUTION_STRING]"; :'],
  ['its newlines at the end', 'echo "[$BASH_EXECUTION_STRING]"\n\n'],
  ['BASH_ARGC and BASH_ARGV', 'shopt -s extdebug; f() { echo "${BASH_ARGC[@]}|${BASH_ARGV[@]}"; }; f a b'],
  [
    'BASH_SOURCE and FUNCNAME',
    'f() { echo "${BASH_SOURCE[@]}|${FUNCNAME[@]}|${BASH_LINENO[@]}"; }; f; caller',
  ],
  ['the lines of messages', 'echo $LINENO\n\nnope-no-such-command; echo $LINENO'],
  ['a syntax error', 'echo before; if true; then fi'],
  ['a syntax error in a later line', 'echo before\necho "then\nfi fi'],
  ['an unended quote', "echo 'never"],
  ['an unended here-document', 'cat <<EOF\none\n\n'],
  ['a backslash at the end', 'echo a; echo on \\'],
  ['an unset variable', 'set -u; echo on; echo $nope'],
  ['set -v', 'set -v\necho on\n'],
  ['set -x', 'set -x; echo on'],
  ['an EXIT trap', 'trap "echo bye" EXIT; echo on; exit 6'],
  ['a DEBUG trap', 'trap \'echo "$BASH_COMMAND"\' DEBUG; echo on'],
  ['exec', 'true; exec echo replaced'],
  ['a program with a name of its own', "true; exec -a name bash -c 'echo $0'"],
  ['stdin', 'read x; echo "$? [$x]"; cat'],
  ['a text that begins with a dash', '-x; echo on'],
  ['a shell without variables', 'env -i bash -c \'echo "$0 $#"\'; :'],
  ['signals', 'kill -l | head -1; trap; kill -TRAP $$'],
  ['what is blocked and ignored', 'grep -E "^(Sig(Blk|Ign)|TracerPid|NoNewPrivs)" /proc/self/status; :'],
  ['whether it may be traced', '[ -O /proc/self/maps ] && echo yes; :'],
])('%s: as of bash -c', async (_, command) => {
  const { output, exitCode, signal } = await run(command, { cwd: '/', env: { inherit: 'all' } })

  expect({ output, exitCode }).toEqual(ofBash(command))
  expect(signal === null).toBe(exitCode !== null)
})
