// What docs/comparison.md compares, each used as its own documentation shows it. A contender runs a command in a
// directory with a timeout, and gives what it printed.

import { exec, spawn } from 'node:child_process'

/** @typedef {{ cwd: string, timeoutMs: number }} Options */

const bash = '/bin/bash'

const spawned = (program, args, { cwd, timeoutMs }) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })

const bashward =
  (sandbox) =>
  async (command, { cwd, timeoutMs }) => {
    const { createBashTool } = await import('bashward')
    const tool = createBashTool({ timeouts: { default: timeoutMs } })
    return (await tool.execute({ command }, { workingDir: cwd, sandbox })).output
  }

const sandboxRuntime = async (command, options, allowWrite) => {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime')
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite, denyWrite: [] },
  })
  const wrapped = await SandboxManager.wrapWithSandbox(command)
  try {
    return await spawned(bash, ['-c', wrapped], options)
  } finally {
    await SandboxManager.reset()
  }
}

const allNamespaces = ['--proc', '/proc', '--unshare-all', '--new-session', '--die-with-parent']

const bwrap = (parameters) => (command, options) =>
  spawned('bwrap', [...parameters, bash, '-c', command], options)

/** Each is the head of a column. @type {Record<string, (command: string, options: Options) => Promise<string>>} */
export const contenders = {
  exec: (command, { cwd, timeoutMs }) =>
    new Promise((resolve) => {
      exec(command, { cwd, timeout: timeoutMs, shell: bash }, (_, stdout, stderr) => resolve(stdout + stderr))
    }),

  spawn: (command, options) => spawned(bash, ['-c', command], options),

  async execa(command, { cwd, timeoutMs }) {
    const { execa } = await import('execa')
    const options = { cwd, timeout: timeoutMs, reject: false, all: true }
    return (await execa(bash, ['-c', command], options)).all ?? ''
  },

  async tinyexec(command, { cwd, timeoutMs }) {
    const { x } = await import('tinyexec')
    try {
      const { stdout, stderr } = await x(bash, ['-c', command], { timeout: timeoutMs, nodeOptions: { cwd } })
      return stdout + stderr
    } catch (error) {
      return error.message // at a timeout; it has no output
    }
  },

  async 'Anthropic SDK'(command, { cwd, timeoutMs }) {
    const { betaBashTool } = await import('@anthropic-ai/sdk/tools/agent-toolset/node')
    const tool = betaBashTool({ workdir: cwd })
    try {
      return await tool.run({ command, timeout_ms: timeoutMs })
    } catch (error) {
      return error.message
    } finally {
      await tool.close?.()
    }
  },

  bashward: bashward('unrestricted'),

  'sandbox-runtime': (command, options) => sandboxRuntime(command, options, []),

  'bwrap, read-only': bwrap(['--ro-bind', '/', '/', '--dev', '/dev']),

  'bwrap, all namespaces': bwrap(['--ro-bind', '/', '/', '--dev', '/dev', ...allNamespaces]),

  'bashward, Restricted': bashward('restricted'),

  'sandbox-runtime, allowWrite': (command, options) => sandboxRuntime(command, options, [options.cwd]),

  'bwrap, bind': (command, options) =>
    bwrap([
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--bind', options.cwd, options.cwd],
      ...allNamespaces,
    ])(command, options),

  'bashward, Workspace': bashward('workspace'),
}
