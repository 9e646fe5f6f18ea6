// Commands of any size: one that exceeds one argument of execve(2) takes another way, and nobody may notice.
import { run } from '../../../lib/index.js'

/** MAX_ARG_STRLEN of execve(2), the ending NUL included: a command of one byte less is the longest argument. */
const maxArgument = 131_072

/** `command` behind a comment line, so that the whole has so many bytes. */
const padded = (command: string, bytes: number): string =>
  `${'#'.repeat(bytes - Buffer.byteLength(command) - 1)}\n${command}`

describe('the longest argument and its neighbours', () => {
  test.each([maxArgument - 2, maxArgument - 1, maxArgument, maxArgument + 1])(
    '%d bytes run',
    async (bytes) => {
      const command = padded('echo end; exit 3', bytes)
      expect(Buffer.byteLength(command)).toBe(bytes)

      expect(await run(command, { cwd: '/' })).toMatchObject({
        status: 'failed',
        exitCode: 3,
        output: 'end\n',
      })
    },
  )

  test('bytes count, not characters', async () => {
    const text = 'é'.repeat(maxArgument / 2)
    const result = await run(`printf %s '${text}' | wc -c`, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', output: `${maxArgument}\n` })
  })
})

describe('large commands', () => {
  test('1 MiB runs, and every byte of it arrives', async () => {
    const text = 'a b\n'.repeat(256 * 1024 - 100)
    const command = `wc -c <<'EOF'\n${text}EOF`
    const full = padded(command, 1024 * 1024)
    expect(Buffer.byteLength(full)).toBe(1024 * 1024)

    expect(await run(full, { cwd: '/' })).toMatchObject({ status: 'completed', output: `${text.length}\n` })
  })

  test('4 MiB run', async () => {
    const command = padded('echo end', 4 * 1024 * 1024)

    expect(await run(command, { cwd: '/' })).toMatchObject({ status: 'completed', output: 'end\n' })
  })

  test('many at once keep apart', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => run(padded(`echo ${i}; exit ${i}`, 200_000), { cwd: '/' })),
    )

    expect(results.map(({ output, exitCode }) => [output, exitCode])).toEqual(
      Array.from({ length: 8 }, (_, i) => [`${i}\n`, i]),
    )
  })

  test('the result has the command as it was given', async () => {
    const command = padded('true', 200_000)

    expect((await run(command, { cwd: '/' })).command).toBe(command)
  })

  test('a timeout ends one', async () => {
    expect(await run(padded('echo on; sleep 30', 200_000), { cwd: '/', timeout: 200 })).toMatchObject({
      status: 'timed_out',
      output: 'on\n',
    })
  })
})

describe('a long command behaves like a short one', () => {
  test.each([
    ['exit status', '(exit 5); false; exit 42'],
    ['exit status of the last command', '(exit 5)'],
    ['command not found', 'nope-no-such-command 2>/dev/null'],
    ['a signal', 'kill -SEGV $$'],
    ['$0, arguments and flags', 'echo "$0" $# "$@" $-'],
    ['set -e', 'set -e; echo on; false; echo never'],
    ['an EXIT trap', 'trap "echo bye" EXIT; echo on; exit 6'],
    ['exec', 'exec echo "replaced"'],
    ['nested quotes', `echo "it's $(echo "a 'b' \\"c\\"")" 'd"e' $'f\\'g' \\\\ \\$HOME`],
    ['glob characters, tildes and braces', `echo '*' "~" {a,b} '!!'`],
    ['a here-document with a substitution', 'x=1; cat <<EOF\n$x $(echo 2) \\$x\nEOF'],
    ['a quoted here-document', `cat <<'EOF'\n$x \`id\` \\\\ "'\nEOF`],
    ['a here-string', 'cat <<< "a  b"'],
    ['a trailing comment', 'echo on # it\'s "over'],
    ['a trailing backslash', 'echo on \\'],
    ['trailing newlines', 'echo on\n\n\n'],
    ['a function with a return status', 'f() { return 9; }; f'],
    ['stdin', 'read x; echo "$? [$x]"'],
    ['a background child that is waited for', '(sleep .05; echo child) & wait; echo parent'],
    [
      'descriptor 3 of its own',
      'exec 3>&1; echo three >&3; exec 3>&-; echo x >&3 2>/dev/null || echo closed',
    ],
    ['an alias', 'shopt -s expand_aliases; alias hi="echo hello"\nhi'],
    ['a syntax error', 'echo before; if true; then fi'],
    ['an unterminated quote', `echo 'never`],
    ['stdout and stderr in order', 'for i in 1 2 3; do echo o$i; echo e$i >&2; done'],
  ])('%s', async (_, command) => {
    const short = await run(command, { cwd: '/' })
    const long = await run(padded(command, 200_000), { cwd: '/' })

    const { status, exitCode, signal, survivors } = short
    expect(long).toMatchObject({ status, exitCode, signal, survivors })
    expect(withoutLocations(long.output)).toBe(withoutLocations(short.output))
  })
})

/** Where bash found an error differs: the line by the padding, and `eval` is a word of its messages. */
function withoutLocations(output: string): string {
  return output.replaceAll(/^bash: .*$/gm, 'bash: an error')
}
