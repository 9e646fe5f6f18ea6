// Row 7: what a command printed before its timeout is not lost.
import { createBashTool, run } from '../../lib/index.js'

describe('row 7: output before the timeout', () => {
  test('`echo P; sleep 30` gives P and timed_out', async () => {
    const result = await run('echo P; sleep 30', { cwd: '/', timeout: 1000 })

    expect(result).toMatchObject({ status: 'timed_out', output: 'P\n', outputBytes: 2, exitCode: null })
  })

  test('the tool tells the model', async () => {
    const tool = createBashTool({ timeouts: { default: 1000, slow: 60_000 } })
    const result = await tool.execute({ command: 'echo P; sleep 30' }, { workingDir: '/' })

    expect(result.status).toBe('timed_out')
    expect(tool.toText(result)).toBe('[command timed out after 1s]\nP\n')
  })
})
