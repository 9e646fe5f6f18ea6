// Row 12: progress bars and colours, as a reader of text wants them.
import { type OutputEvent, run } from '../../lib/index.js'

describe('row 12: terminal output, normalised', () => {
  test('20,000 steps of progress on one line become the last one', async () => {
    const command = 'for i in $(seq 20000);do printf "\\r%d%%" $i;done'
    const result = await run(command, { cwd: '/', normalizeOutput: true })

    expect(result).toMatchObject({ status: 'completed', output: '20000%' })
  })

  const splitCode = "printf 'a \\033[3'; sleep .15; printf '1mred\\033'; sleep .15; printf '[0m text\\n'"

  test('a colour code split over two writes leaves no trace in the result', async () => {
    const result = await run(splitCode, { cwd: '/', normalizeOutput: true })

    expect(result).toMatchObject({ status: 'completed', output: 'a red text\n' })
  })

  test('a colour code split over two writes leaves no trace in the live view', async () => {
    const events: OutputEvent[] = []
    await run(splitCode, { cwd: '/', normalizeOutput: true, onOutput: (event) => events.push(event) })

    expect(events.map(({ text }) => text).join('')).toBe('a red text\n')
  })

  test('without it every byte is kept', async () => {
    const result = await run("printf '\\r1%%\\r\\033[31m2%%\\033[0m\\n'", { cwd: '/' })

    expect(result.output).toBe('\r1%\r\u001b[31m2%\u001b[0m\n')
  })
})
