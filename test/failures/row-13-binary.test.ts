// Row 13: binary output makes a result that is valid JSON, and a NUL in the command a typed error.
import { createBashTool, run } from '../../lib/index.js'

describe('row 13: binary data', () => {
  test('binary output is flagged, counted, and survives JSON', async () => {
    const result = await run('head -c 100000 /bin/ls', { cwd: '/' })

    expect(result).toMatchObject({ status: 'completed', binary: true, outputBytes: 100_000 })
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    // No lone surrogate: what goes through UTF-8 comes back the same.
    expect(Buffer.from(result.output).toString()).toBe(result.output)
  })

  test('the text for the model has no NUL', async () => {
    const tool = createBashTool()
    const result = await tool.execute({ command: "printf 'a\\0b\\377c'" }, { workingDir: '/' })

    expect(result).toMatchObject({ status: 'completed', binary: true, outputBytes: 5 })
    const text = tool.toText(result)
    expect(text).not.toContain('\0')
    expect(text).toMatch(/a.*b.*c/)
  })

  test('run() refuses a command with a NUL', async () => {
    await expect(run('echo a\0b', { cwd: '/' })).rejects.toMatchObject({
      name: 'BashError',
      code: 'ERR_INVALID_INPUT',
      message: expect.stringMatching(/command/),
    })
  })
})
