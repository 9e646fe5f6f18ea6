// The adapters as their users load them: by name, with import and with require, beside the framework's own copy.
import { execFileSync } from 'node:child_process'
import { packageRoot } from '../../support/as-user.js'

/** Runs a program that finds the package under its own name, and gives what it prints as JSON. */
const evaluate = (program: string, type: 'module' | 'commonjs'): unknown => {
  const args = [`--input-type=${type}`, '-e', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: packageRoot, encoding: 'utf8' }))
}

const exported = {
  acp: ['acpTerminals'],
  ai: ['aiApproval', 'aiTool', 'harnessSandbox', 'sandboxSession'],
  anthropic: ['anthropicTool', 'betaBashTool'],
  openai: ['openaiSandbox', 'openaiShell', 'openaiShellTool', 'openaiTool'],
}

describe.each(Object.entries(exported))('bashward/%s', (name, names) => {
  test('can be imported', () => {
    const program = `import * as all from 'bashward/${name}'; console.log(JSON.stringify(Object.keys(all).sort()))`

    expect(evaluate(program, 'module')).toEqual(names)
  })

  test('can be required', () => {
    const program = `console.log(JSON.stringify(Object.keys(require('bashward/${name}')).sort()))`

    expect(evaluate(program, 'commonjs')).toEqual(names)
  })
})

const failing = `
  const tool = anthropicTool(createBashTool(), { workingDir: '/' })
  const print = (error) => console.log(JSON.stringify(error instanceof ToolError && error.content))
  tool.run({ command: 'exit 3' }).catch(print)`

test('an error is of the class that a runner of import knows', () => {
  const program = `
    import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
    import { createBashTool } from 'bashward'
    import { anthropicTool } from 'bashward/anthropic'
    ${failing}`

  expect(evaluate(program, 'module')).toBe('[command failed: exit code 3]\n')
})

test('an error is of the class that a runner of require knows', () => {
  const program = `
    const { ToolError } = require('@anthropic-ai/sdk/lib/tools/ToolError')
    const { createBashTool } = require('bashward')
    const { anthropicTool } = require('bashward/anthropic')
    ${failing}`

  expect(evaluate(program, 'commonjs')).toBe('[command failed: exit code 3]\n')
})
