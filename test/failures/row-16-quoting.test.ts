// Row 16: the command reaches bash as it was written: the same output and exit code as `bash FILE`.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../lib/index.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterAll(removeTempDirs)

/** What bash does with the words given; both streams go to one file, so that their order is exact. */
const bash = (cwd: string, args: string[]): { output: string; exitCode: number | null } => {
  const outputFile = join(cwd, 'output')
  const fd = openSync(outputFile, 'w')
  const { status } = spawnSync('bash', args, { cwd, stdio: ['ignore', fd, fd] })
  closeSync(fd)
  return { output: readFileSync(outputFile, 'utf8'), exitCode: status }
}

const asFile = (command: string): { output: string; exitCode: number | null } => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'script'), command)
  const { output, exitCode } = bash(cwd, ['script'])
  return { output: output.replace(/^script: /gm, 'bash: '), exitCode }
}

const commands: [string, string][] = [
  ['a quoted heredoc', "cat <<'EOF'\nit's \\\\ back\\slash ! bang $HOME $(id) `id` \"double\"\nEOF\n"],
  ['an unquoted heredoc', 'x=1\ncat <<EOF\nit\'s \\\\ \\$x $x ! $(echo sub) "double"\nEOF\n'],
  ['a heredoc with tabs', "cat <<-'EOF'\n\tindented ' \\\n\tEOF\necho after"],
  ['a trailing comment', 'echo hi # it\'s a "comment'],
  ['a comment as the last line', "echo hi\n# don't"],
  ['a trailing backslash before the last newline', 'echo a\\\n'],
  ['an unterminated heredoc', 'cat <<EOF\nhi\nthere'],
  ['an unterminated heredoc with a newline at the end', "cat <<'EOF'\nhi\n"],
  ['history expansion characters', 'echo "a!b" !! !$ \'!\'; echo !x'],
  ['nested quotes', `echo "a 'b' \\"c\\"" 'd "e"' $'f\\'\\n\\x67'`],
  ['a syntax error', 'echo before\nif then\necho after'],
  ['an unterminated quote', "echo before\necho 'open"],
  ['an exit in the middle', 'echo a; exit 3; echo b'],
  ['a failing last command', 'echo a; false'],
  ['windows line ends', 'echo a\r\necho b\r\n'],
  ['a dash at the beginning', '--version'],
  ['only blanks', ' \n\t\n'],
  ['only a comment', '# nothing'],
  ['words beyond ASCII', "echo 'naïve 😀 \u{200b}zero'"],
  ['braces and globs', 'echo {1..3} "*" \\* [a'],
  ['braces that would close a wrapper', 'echo a; }; echo b'],
  ['a parenthesis that would close a wrapper', 'echo a; ); echo b'],
]

describe('row 16: quoting', () => {
  test.each(commands)('%s: as `bash FILE` does it', async (_, command) => {
    const expected = asFile(command)
    const { output, exitCode } = await run(command, { cwd: '/' })

    // Diagnostics begin with the name of the script; with -c that is bash, and for syntax errors `bash: -c`.
    expect({ output: output.replace(/^bash: -c: /gm, 'bash: '), exitCode }).toEqual(expected)
  })

  // Here `bash FILE` and `bash -c` differ: a file swallows the backslash, -c keeps it. REQ-BASH-001 says -c.
  test('a trailing backslash as the last character: as `bash -c` does it', async () => {
    const expected = bash(tempDir(), ['-c', 'echo a\\'])
    const { output, exitCode } = await run('echo a\\', { cwd: '/' })

    expect({ output, exitCode }).toEqual(expected)
  })
})
