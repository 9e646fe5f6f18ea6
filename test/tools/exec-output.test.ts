// How much of each stream is given: 1 MiB, then `... (truncated)`: REQ-EXEC-006.
import { createExecTool } from '../../lib/tools/exec-tool.js'

const tool = createExecTool()
const mebibyte = 1024 * 1024
const suffix = '... (truncated)'

const zeros = (count: number, character = 'a') => `head -c ${count} /dev/zero | tr '\\0' ${character}`

describe.each([
  ['stdout', 'stderr', ''],
  ['stderr', 'stdout', ' >&2'],
] as const)('%s', (stream, other, redirection) => {
  const run = (command: string) => tool.execute({ command: `{ ${command}; }${redirection}` })

  test('of 1 MiB is whole', async () => {
    const result = await run(zeros(mebibyte))

    expect(result[stream] === 'a'.repeat(mebibyte)).toBe(true)
    expect(result).toMatchObject({ [other]: '', exitCode: 0 })
  })

  test('of 1 MiB and a byte is cut after 1 MiB', async () => {
    const result = await run(zeros(mebibyte + 1))

    expect(result[stream] === 'a'.repeat(mebibyte) + suffix).toBe(true)
    expect(result).toMatchObject({ [other]: '', exitCode: 0 })
  })

  test('of 20 MB is cut after 1 MiB, and the exit code is there', async () => {
    const result = await run(`${zeros(20_000_000)}; exit 3`)

    expect(result[stream] === 'a'.repeat(mebibyte) + suffix).toBe(true)
    expect(result.exitCode).toBe(3)
  })

  test('is cut between characters', async () => {
    const result = await run("printf x; yes é | tr -d '\\n' | head -c 1500000")

    // 1 and 524,287 × 2 bytes; the next character begins in the last byte.
    expect(result[stream] === `x${'é'.repeat(524_287)}${suffix}`).toBe(true)
  })

  test('of 1 MiB that ends inside a character is whole, with the broken character marked', async () => {
    const result = await run(`${zeros(mebibyte - 1)}; printf '\\303'`)

    expect(result[stream] === `${'a'.repeat(mebibyte - 1)}\uFFFD`).toBe(true)
  })
})

test('each stream has its own limit', async () => {
  const command = `${zeros(mebibyte, 'o')}; { ${zeros(mebibyte + 1, 'e')}; } >&2`
  const { stdout, stderr } = await tool.execute({ command })

  expect(stdout === 'o'.repeat(mebibyte)).toBe(true)
  expect(stderr === 'e'.repeat(mebibyte) + suffix).toBe(true)
})

test('a short stream is untouched by the other one being cut', async () => {
  const { stdout, stderr } = await tool.execute({ command: `${zeros(mebibyte + 1)}; echo end >&2` })

  expect(stdout.endsWith(`a${suffix}`)).toBe(true)
  expect(stderr).toBe('end\n')
})

test('both streams flooded at once are both cut, and neither blocks the other', async () => {
  const { stdout, stderr, exitCode } = await tool.execute({
    command: 'yes out | head -c 5000000 & yes err | head -c 5000000 >&2; wait',
  })

  expect([stdout.slice(0, 8), stderr.slice(0, 8)]).toEqual(['out\nout\n', 'err\nerr\n'])
  expect([stdout.length, stderr.length]).toEqual([mebibyte + suffix.length, mebibyte + suffix.length])
  expect(exitCode).toBe(0)
})

test('bytes that are no text are shown, and the text is JSON', async () => {
  const result = await tool.execute({ command: "printf 'a\\0b\\377'" })

  expect(result.stdout).toBe('a\u2400b\uFFFD')
  expect(JSON.parse(tool.toText(result))).toEqual(result)
})

test('escape sequences and carriage returns are left as they are', async () => {
  expect(await tool.execute({ command: "printf '\\033[1mbold\\033[0m\\r\\n'" })).toMatchObject({
    stdout: '\u001b[1mbold\u001b[0m\r\n',
  })
})

test('a character that comes in two writes is whole', async () => {
  expect(await tool.execute({ command: "printf '\\303'; sleep 0.1; printf '\\251'" })).toMatchObject({
    stdout: 'é',
  })
})
