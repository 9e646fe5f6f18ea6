// Row 17: a command longer than one argument may be (131,072 bytes) runs like any other.
import { createHash } from 'node:crypto'
import { run } from '../../lib/index.js'

/** Lines with everything that quoting could break, about `bytes` long. */
const trickyLines = (bytes: number): string => {
  const line = 'it\'s \\ a "line" with $HOME, $(id), `id`, !bang and naïve 😀 characters\n'
  return line.repeat(Math.ceil(bytes / Buffer.byteLength(line)))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('row 17: a heredoc of 200 kB in the command', () => {
  test('every byte of it arrives', async () => {
    const body = trickyLines(200_000)
    const result = await run(`sha256sum <<'EOF'\n${body}EOF\necho "status $?"`, { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', exitCode: 0, binary: false })
    expect(result.output).toBe(`${sha256(body)}  -\nstatus 0\n`)
  })

  test('its exit status, its $0, its standard input and a trailing comment are those of a short one', async () => {
    const command = `: <<'EOF'\n${trickyLines(200_000)}EOF\necho "$0 $#"; read x; echo $?; exit 7 # it's over`
    const result = await run(command, { cwd: '/' })

    expect(result).toMatchObject({ status: 'failed', exitCode: 7, output: 'bash 0\n1\n' })
  })

  test('one that begins with a dash is a command, not an option', async () => {
    const result = await run(`--version 2>&1\n: <<'EOF'\n${trickyLines(200_000)}EOF\nexit 7`, { cwd: '/' })

    expect(result).toMatchObject({ exitCode: 7, output: 'bash: line 1: --version: command not found\n' })
  })

  test('it leaks no descriptor to the programs it starts', async () => {
    const list = 'ls /proc/self/fd'
    const short = await run(list, { cwd: '/' })
    const long = await run(`: <<'EOF'\n${trickyLines(200_000)}EOF\n${list}`, { cwd: '/' })

    expect(short.output).toBe('0\n1\n2\n3\n')
    expect(long.output).toBe(short.output)
  })
})
