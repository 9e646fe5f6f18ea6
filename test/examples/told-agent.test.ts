// examples/told-agent.mjs: the end of a job begins the next turn, and nothing stays behind.
import { readdirSync } from 'node:fs'
import { removeTempDirs } from '../support/temp-dir.js'
import { killPrograms } from '../surfaces/cli/program.js'
import { startExample, testExample } from './example.js'

afterEach(killPrograms)
afterAll(removeTempDirs)

testExample('the model is told that its job has ended, and goes on', async (options) => {
  const { code, stdout, stderr } = await startExample('told-agent.mjs', options).exited()

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /\nuser: \[job bash_\w+ ended: exit code 1 after [\d.]+s; last lines:\n41 passed\n1 failed\]\n\nassistant: One test fails/,
  )
  expect(readdirSync(options.directory)).toEqual([])
})
