// One instance of the tool serves many conversations at once, and keeps nothing of them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createBashTool, type ToolContext } from '../../lib/index.js'
import { killLeftovers, processesWith, uniqueSleep, waitForSleep } from '../support/processes.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'

afterEach(killLeftovers)
afterAll(removeTempDirs)

const tool = createBashTool()

describe('many conversations at once', () => {
  test('each command runs in the directory of its conversation', async () => {
    const directories = Array.from({ length: 24 }, () => tempDir())
    const results = await Promise.all(
      directories.map((workingDir) =>
        tool.execute({ command: 'sleep 0.1; pwd; pwd > here' }, { workingDir }),
      ),
    )

    expect(results.map(({ output }) => output)).toEqual(directories.map((directory) => `${directory}\n`))
    for (const directory of directories) expect(existsSync(join(directory, 'here'))).toBe(true)
  })

  test('the cancel of one does not touch the others', async () => {
    const markers = Array.from({ length: 6 }, uniqueSleep)
    const controllers = markers.map(() => new AbortController())
    const running = markers.map((marker, i) =>
      tool.execute(
        { command: `echo ${i}; sleep ${marker}` },
        { workingDir: '/', cancel: controllers[i]?.signal, conversationId: `conversation-${i}` },
      ),
    )
    await Promise.all(markers.map((marker) => waitForSleep(marker)))

    for (const i of [4, 0, 5, 2, 1, 3]) {
      controllers[i]?.abort()
      expect(await running[i]).toMatchObject({ status: 'cancelled', output: `${i}\n` })
      expect(processesWith(markers[i] ?? '')).toEqual([])
      markers[i] = ''
      for (const other of markers) if (other !== '') expect(processesWith(other)).not.toEqual([])
    }
  })

  test('results, events and failures go to the conversation that they belong to', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const texts: string[] = []
        const onEvent: ToolContext['onEvent'] = (event) => event.type === 'output' && texts.push(event.text)
        const result = await tool.execute(
          { command: `echo ${i}; sleep 0.0${i}; exit ${i}` },
          { workingDir: '/', onEvent },
        )
        return { text: texts.join(''), output: result.output, exitCode: result.exitCode }
      }),
    )

    expect(outcomes).toEqual(
      Array.from({ length: 12 }, (_, i) => ({ text: `${i}\n`, output: `${i}\n`, exitCode: i })),
    )
  })
})

describe('state', () => {
  test.each([
    ['the working directory', 'cd /usr', 'pwd', '/\n'],
    ['variables', 'X=1; export Y=2', 'echo "[$X$Y]"', '[]\n'],
    ['aliases', 'shopt -s expand_aliases; alias greet=echo', 'type -t greet', ''],
    ['functions', 'greet() { :; }', 'type -t greet', ''],
    ['the umask', 'umask 0077', 'umask', '0022\n'],
  ])('%s do not persist between calls', async (_, first, second, expected) => {
    const umask = process.umask(0o022)
    await tool.execute({ command: first }, { workingDir: '/' })
    const { output } = await tool.execute({ command: second }, { workingDir: '/' })
    process.umask(umask)

    expect(output).toBe(expected)
  })
})

describe('cancel', () => {
  test('aborted already: the command does not run', async () => {
    const file = join(tempDir(), 'file')
    const result = await tool.execute(
      { command: `touch '${file}'` },
      { workingDir: '/', cancel: AbortSignal.abort() },
    )

    expect(result).toMatchObject({ status: 'cancelled', exitCode: null, usage: null })
    expect(existsSync(file)).toBe(false)
  })

  test('aborted at the start event: the command does not run', async () => {
    const file = join(tempDir(), 'file')
    const controller = new AbortController()
    const result = await tool.execute(
      { command: `touch '${file}'` },
      { workingDir: '/', cancel: controller.signal, onEvent: () => controller.abort() },
    )

    expect(result).toMatchObject({ status: 'cancelled', usage: null })
    expect(existsSync(file)).toBe(false)
  })

  test('in mode slow as well', async () => {
    const marker = uniqueSleep()
    const controller = new AbortController()
    const running = tool.execute(
      { command: `sleep ${marker}`, mode: 'slow' },
      { workingDir: '/', cancel: controller.signal },
    )
    await waitForSleep(marker)
    controller.abort()

    expect(await running).toMatchObject({ status: 'cancelled' })
    expect(processesWith(marker)).toEqual([])
  })
})
