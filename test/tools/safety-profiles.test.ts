// Commands that the suite and the exec tool refuse.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BashResult, createBashSuite, createExecTool } from '../../lib/index.js'
import { endJobs, tempStore } from '../support/jobs.js'
import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { noTouch, refused, rejected } from './refused-command.js'

afterEach(endJobs)
afterAll(removeTempDirs)

describe('the suite', () => {
  const suiteIn = (workingDir: string, options = {}) => {
    const { bash } = createBashSuite(options)
    return async (command: string, background = false) => {
      const result: BashResult = await bash.execute(
        { command, run_in_background: background },
        { workingDir },
      )
      return { result, text: bash.toText(result) }
    }
  }

  test.each([false, true])('refuses, run_in_background: %p', async (background) => {
    const jobs = tempStore()
    const { result, text } = await suiteIn(tempDir(), { jobs })(refused, background)

    expect(result).toMatchObject(rejected)
    expect(text).toBe(`[command rejected: git-add-blind] ${result.error?.message}`)
    expect(await jobs.list()).toEqual([])
  })

  test('checks in the directory of its session', async () => {
    const dir = tempDir()
    const ask = suiteIn(dir, { env: { set: { HOME: join(dir, 'home') } } })
    await ask('mkdir sub; cd sub')

    expect((await ask('rm -rf home')).result.status).toBe('completed')
    expect((await ask('cd ..; rm -rf home')).result.status).toBe('rejected')
  })

  test('with safety: false, does not check', async () => {
    expect((await suiteIn(tempDir(), { safety: false })(`${refused}; true`)).result.status).toBe('completed')
  })
})

describe('the exec tool', () => {
  test('refuses, with the rule and the reason as the error', async () => {
    const dir = tempDir()
    const tool = createExecTool()
    const result = await tool.execute({ command: `touch made; ${refused}` }, { workingDir: dir })

    expect(result).toEqual({
      stdout: '',
      stderr: '',
      exitCode: null,
      error: expect.stringMatching(/^command rejected: git-add-blind: \S/),
    })
    expect(existsSync(join(dir, 'made'))).toBe(false)
  })

  test('says what went wrong when a rule of the host fails', async () => {
    const broken = { ...noTouch, applies: () => { throw new Error('broken') } } // biome-ignore format: one line
    const tool = createExecTool({ safety: { rules: { add: [broken] } } })
    const { exitCode, error } = await tool.execute({ command: 'true' }, { workingDir: '/' })

    expect([exitCode, error]).toEqual([null, expect.stringContaining('broken')])
  })

  test('with safety: false, does not check', async () => {
    const tool = createExecTool({ safety: false })
    const result = await tool.execute({ command: `${refused}; echo "it ran"` }, { workingDir: tempDir() })

    expect(result).toMatchObject({ stdout: 'it ran\n', exitCode: 0 })
  })
})
