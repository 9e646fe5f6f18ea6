// Row 11: no character is torn, neither between two writes nor at a truncation edge.
import { createBashTool, type OutputEvent, run } from '../../lib/index.js'

const REPLACEMENT = '\u{fffd}'

describe('row 11: UTF-8', () => {
  test.each([
    ['é', ['\\xc3', '\\xa9']],
    ['€', ['\\xe2', '\\x82\\xac']],
    ['€', ['\\xe2\\x82', '\\xac']],
    ['😀', ['\\xf0', '\\x9f', '\\x98', '\\x80']],
  ])(
    '%s split over several writes is one character, in the result and in the live view',
    async (character, parts) => {
      const events: OutputEvent[] = []
      const command = `printf '[${parts.join("'; sleep .15; printf '")}]'`
      const result = await run(command, { cwd: '/', onOutput: (event) => events.push(event) })

      expect(result).toMatchObject({ output: `[${character}]`, binary: false, truncated: false })
      expect(events.map(({ text }) => text).join('')).toBe(`[${character}]`)
    },
  )

  // Shifted by every possible number of bytes, so that each edge of the cut falls at every place in a character.
  test.each([
    ['é', 200_000, 0, 0],
    ['é', 200_000, 1, 0],
    ['é', 200_000, 0, 1],
    ['é', 200_000, 1, 1],
    ['€', 100_000, 0, 2],
    ['€', 100_000, 1, 1],
    ['€', 100_000, 2, 0],
    ['😀', 50_000, 0, 3],
    ['😀', 50_000, 1, 2],
    ['😀', 50_000, 2, 1],
    ['😀', 50_000, 3, 0],
  ])(
    '%s × %d is cut on character boundaries, with %d bytes before and %d after',
    async (character, count, before, after) => {
      const tool = createBashTool()
      const command = `printf '${'<'.repeat(before)}'; yes ${character} | head -n ${count} | tr -d '\\n'; printf '${'>'.repeat(after)}'`
      const result = await tool.execute({ command }, { workingDir: '/' })

      const characterBytes = Buffer.byteLength(character)
      expect(result).toMatchObject({
        status: 'completed',
        outputBytes: before + count * characterBytes + after,
        truncated: true,
        binary: false,
      })
      for (const text of [result.output, tool.toText(result)]) {
        expect(text).not.toContain(REPLACEMENT)
        expect(Buffer.from(text).toString()).toBe(text)
        expect(text.endsWith(character + '>'.repeat(after))).toBe(true)
      }
      expect(result.output.startsWith('<'.repeat(before) + character)).toBe(true)
    },
  )

  test('the bytes kept at each edge are as many as fit', async () => {
    const tool = createBashTool()
    const command = "printf x; yes é | head -n 200000 | tr -d '\\n'; printf y"
    const text = tool.toText(await tool.execute({ command }, { workingDir: '/' }))

    const head = `x${'é'.repeat(2047)}`
    const tail = `${'é'.repeat(2047)}y`
    expect(text).toBe(
      `[output truncated in middle: got 390.6KB, max is 128.0KB]\n${head}\n\n[snip]\n\n${tail}`,
    )
  })
})
