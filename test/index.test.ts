// The built package as its users load it: by name, with import and with require.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as source from '../lib/index.js'
import { copyPackage, packageRoot } from './support/as-user.js'
import { removeTempDirs, tempDir } from './support/temp-dir.js'

afterAll(removeTempDirs)

/** What the package exports at run time: a change here is a change for every user. */
const names = [
  'BashError',
  'BashSession',
  'CallLedger',
  'JobStore',
  'attachLogger',
  'checkCommand',
  'commandLogChannel',
  'createBashSuite',
  'createBashTool',
  'createExecTool',
  'eventText',
  'filterEnvironment',
  'importClaudeSettings',
  'importCodexRules',
  'judgeCommand',
  'loadPolicy',
  'probeSandbox',
  'protectHost',
  'run',
  'safetyRules',
  'sandboxChannel',
  'simplifyCommand',
  'unknownText',
]

/** Runs a program that finds the package under its own name, and gives what it prints as JSON. */
const evaluate = (
  program: string,
  { type = 'module', root = packageRoot, env = {} as Record<string, string> } = {},
): unknown => {
  const output = execFileSync(process.execPath, ['--no-warnings', `--input-type=${type}`, '-e', program], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  return JSON.parse(output)
}

const print = (expression: string): string => `console.log(JSON.stringify(${expression}))`

describe('the exports', () => {
  test('of the sources are the expected names', () => {
    expect(Object.keys(source).sort()).toEqual(names)
  })

  test('of require() are the expected names', () => {
    expect(evaluate(print("Object.keys(require('bashward')).sort()"), { type: 'commonjs' })).toEqual(names)
  })

  test('of import are the expected names, and no default', () => {
    expect(evaluate(`import * as all from 'bashward'; ${print('Object.keys(all).sort()')}`)).toEqual(names)
  })

  test('are the same things in both worlds', () => {
    const program = `
      import { createRequire } from 'node:module'
      import * as imported from 'bashward'
      const required = createRequire(process.cwd() + '/')('bashward')
      ${print('Object.keys(imported).filter((name) => imported[name] !== required[name])')}`

    expect(evaluate(program)).toEqual([])
  })

  test('an error of one world is an instance of the class of the other', () => {
    const program = `
      import { createRequire } from 'node:module'
      import { BashError } from 'bashward'
      const { run } = createRequire(process.cwd() + '/')('bashward')
      const error = await run('true', {}).catch((reason) => reason)
      ${print('[error instanceof BashError, BashError.isInstance(error), error.code]')}`

    expect(evaluate(program)).toEqual([true, true, 'ERR_INVALID_INPUT'])
  })

  test('package.json can be read, and nothing else of the inside can', () => {
    const program = `
      const { version } = require('bashward/package.json')
      let code
      try { require('bashward/dist/run/run.js') } catch (error) { code = error.code }
      ${print('[typeof version, code]')}`

    expect(evaluate(program, { type: 'commonjs' })).toEqual(['string', 'ERR_PACKAGE_PATH_NOT_EXPORTED'])
  })
})

describe('the package in use', () => {
  test('runs in strict mode, all of it', () => {
    const dist = join(packageRoot, 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    )
    const first = (file: string) =>
      readFileSync(join(dist, file), 'utf8')
        .replace(/^#!.*\n/, '')
        .slice(0, 13)

    expect(files).not.toEqual([])
    expect(files.filter((file) => first(file) !== '"use strict";')).toEqual([])
  })

  test('loads what a command, a session or a check needs with the first one', () => {
    const program = `
      const { createBashTool, BashSession, CallLedger } = require('bashward')
      createBashTool({ calls: new CallLedger() })
      new BashSession({ workingDir: '/' })
      const { sep } = require('node:path')
      const loaded = Object.keys(require.cache).flatMap((file) => file.split(sep + 'dist' + sep)[1] ?? [])
      ${print('loaded.sort()')}`

    expect(evaluate(program, { type: 'commonjs' })).toEqual(['bashward.js', 'index.js'])
  })

  test('loads nothing of terminals, fleets and the command line with a command', () => {
    const program = `
      import { createRequire } from 'node:module'
      const { createBashTool } = createRequire(process.cwd() + '/x.js')('bashward')
      const { status } = await createBashTool().execute({ command: 'true' }, { workingDir: '/' })
      const { cache } = createRequire(import.meta.url)
      const files = Object.keys(cache).filter((file) => /[/]dist[/](?:cli|fleet|terminal)[/]/.test(file))
      ${print('{ status, files, shared: Object.keys(cache).some((file) => file.endsWith("/dist/shared.js")) }')}`

    expect(evaluate(program)).toEqual({ status: 'completed', files: [], shared: true })
  })

  test('loads nothing of Node.js that only some commands need', () => {
    const program = `
      require('bashward')
      const slow = ['fs/promises', 'child_process', 'net', 'worker_threads', 'zlib']
      ${print("process.moduleLoadList.filter((name) => slow.some((each) => name === 'NativeModule ' + each))")}`

    expect(evaluate(program, { type: 'commonjs' })).toEqual([])
  })

  test('the tool runs a command from import', () => {
    const program = `
      import { createBashTool } from 'bashward'
      const tool = createBashTool()
      const result = await tool.execute({ command: 'echo hi; exit 3' }, { workingDir: '/' })
      ${print('tool.toText(result)')}`

    expect(evaluate(program)).toBe('[command failed: exit code 3]\nhi\n')
  })

  test('the input schema is written as plain JSON Schema', () => {
    const program = `import { createBashTool } from 'bashward'; ${print('createBashTool().inputSchema')}`

    expect(evaluate(program)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        command: { type: 'string', description: expect.any(String) },
        mode: { type: 'string', enum: ['default', 'slow', 'background'], description: expect.any(String) },
      },
      required: ['command'],
      additionalProperties: false,
    })
  })

  test('loading it prints nothing, starts no thread and keeps no process alive', () => {
    const program = `
      import 'bashward'
      import { readdirSync, readFileSync } from 'node:fs'
      const threads = readdirSync('/proc/self/task')
      const named = threads.map((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim())
      ${print("named.includes('bashward')")}`

    expect(evaluate(program)).toBe(false)
  })
})

describe('without the native engine', () => {
  /** A copy of the package that lacks a file of the build. */
  const packageWithout = (file: string): string => {
    const root = tempDir()
    copyPackage(root)
    rmSync(join(root, 'build/Release', file))
    rmSync(join(root, 'prebuilds'), { recursive: true, force: true })
    return root
  }

  const files = [
    ['addon', 'bashward.node'],
    ['supervisor', 'bashward-supervisor'],
  ] as const

  test.each(files)('no %s: the portable engine runs commands', (_, file) => {
    const program = `
      import { run } from 'bashward'
      const { status, output, usage } = await run('echo hi', { cwd: '/' })
      ${print('{ status, output, usage }')}`

    expect(evaluate(program, { root: packageWithout(file) })).toEqual({
      status: 'completed',
      output: 'hi\n',
      usage: null,
    })
  })

  test.each(files)('no %s, where it has to run: calls give a typed error that says why', (_, file) => {
    const env = { BASHWARD_ENGINE: 'native' }
    const program = `
      import { createBashTool, run } from 'bashward'
      const { name, code, message, cause } = await run('true', { cwd: '/' }).catch((reason) => reason)
      const tool = createBashTool()
      const result = await tool.execute({ command: 'true' }, { workingDir: '/' })
      ${print('{ name, code, message, caused: cause instanceof Error, status: result.status, text: tool.toText(result) }')}`

    expect(evaluate(program, { root: packageWithout(file), env })).toEqual({
      name: 'BashError',
      code: 'ERR_UNSUPPORTED_PLATFORM',
      message: expect.stringMatching(/^bashward's native engine cannot be loaded: /),
      caused: true,
      status: 'error',
      text: expect.stringMatching(/^\[system error: bashward's native engine cannot be loaded: [^\n]+\]$/),
    })
  })
})
