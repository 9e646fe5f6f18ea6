// Runs an expression with what a module of scripts/ exports. In a process of its own: jest loads no ES modules.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../support/as-user.js'

/** @param expression of `module` and `input`; its value comes back as JSON */
export const evaluate = (script: string, expression: string, input: unknown = null): unknown => {
  const url = pathToFileURL(join(packageRoot, 'scripts', script))
  const program = `
    const module = await import(${JSON.stringify(url)})
    const input = ${JSON.stringify(input)}
    console.log(JSON.stringify((${expression})))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      stdio: 'pipe',
    }),
  )
}
