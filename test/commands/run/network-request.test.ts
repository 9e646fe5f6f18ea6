// What the engine is asked for where a policy allows sockets and hosts, and the variables that lead programs there.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type RunOptions, resolveOptions } from '../../../lib/commands/run/options.js'
import { buildRequest } from '../../../lib/commands/run/request.js'
import type { CommandRequest } from '../../../lib/processes/engine/request.js'
import { removeTempDirs, tempDir } from '../../support/temp-dir.js'

const cwd = realpathSync(tempDir())
const state = realpathSync(tempDir())
const { XDG_STATE_HOME } = process.env
beforeAll(() => {
  process.env.XDG_STATE_HOME = state
})
afterAll(() => {
  if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME
  else process.env.XDG_STATE_HOME = XDG_STATE_HOME
  removeTempDirs()
})

const network = {
  proxy: { port: 4001, controlPort: 4002, grant: 'GRANT a b {}\n' },
  variables: { HTTPS_PROXY: 'http://bashward:secret@127.0.0.1:4001', NODE_USE_ENV_PROXY: '1' },
  secrets: ['secret'],
}

const requestFor = (options: Partial<RunOptions>, isOnline = false) => {
  const resolved = resolveOptions({ cwd, shellPath: '/bin/bash', ...options })
  const given = isOnline ? network : undefined
  return buildRequest('true', resolved, resolved.environment.current(), undefined, given)
}

const domains = { network: { domains: ['registry.example'] } }
const online = (options: Partial<RunOptions> = {}) => {
  const request = requestFor({ sandbox: 'workspace', workspace: domains, ...options }, true)
  return { ...request, variables: Object.fromEntries(variablesOf(request)) }
}

function* variablesOf({
  environment,
  variables = '',
}: CommandRequest): Generator<[string, string], void, undefined> {
  for (const entry of `${environment}${variables}`.split('\0')) {
    const at = entry.indexOf('=')
    if (at > 0) yield [entry.slice(0, at), entry.slice(at + 1)]
  }
}

describe('sockets', () => {
  test('of the command itself are allowed in Workspace mode', () => {
    expect(requestFor({ sandbox: 'workspace' }).confinement).toMatchObject({
      loopback: true,
      unixSockets: true,
    })
  })

  test('can be left out there', () => {
    const workspace = { loopback: false, unixSockets: false }

    expect(requestFor({ sandbox: 'workspace', workspace }).confinement).toMatchObject(workspace)
  })

  test('are allowed by no other policy unless it says so', () => {
    expect(requestFor({ sandbox: { writable: ['.'] } }).confinement).toMatchObject({
      loopback: false,
      unixSockets: false,
    })
    expect(requestFor({ sandbox: { loopback: true } }).confinement).toMatchObject({
      writable: [],
      loopback: true,
    })
  })

  test('Restricted mode has none', () => {
    expect(requestFor({ sandbox: 'restricted' }).confinement).toMatchObject({
      loopback: false,
      unixSockets: false,
    })
  })
})

describe('hosts', () => {
  test('are reached by the proxy, which the plan names', () => {
    expect(online().confinement?.proxy).toEqual(network.proxy)
  })

  test('and so do the variables of the command', () => {
    expect(online().variables).toMatchObject(network.variables)
  })

  test('without any there is no proxy', () => {
    expect(requestFor({ sandbox: 'workspace' }).confinement).not.toHaveProperty('proxy')
  })

  test('with any, programs are not told that there is no network', () => {
    expect(online().variables).not.toHaveProperty('npm_config_offline')
    expect(online({ env: {} }).variables).not.toHaveProperty('npm_config_offline')
  })

  test('what the caller has set stays so', () => {
    const { variables } = online({ env: { set: { HTTPS_PROXY: 'mine', npm_config_cache: 'here' } } })

    expect(variables).toMatchObject({
      HTTPS_PROXY: 'mine',
      npm_config_cache: 'here',
      NODE_USE_ENV_PROXY: '1',
    })
  })

  test('what the host has in its environment does not', () => {
    process.env.HTTPS_PROXY = 'http://proxy.example:3128'
    try {
      expect(online().variables.HTTPS_PROXY).toBe(network.variables.HTTPS_PROXY)
    } finally {
      delete process.env.HTTPS_PROXY
    }
  })
})

describe('caches', () => {
  test('are in a writable directory of their own', () => {
    const { confinement, variables } = online()
    const { cacheDirectory = '' } = confinement ?? {}

    expect(cacheDirectory.startsWith(join(state, 'bashward/caches/'))).toBe(true)
    expect(confinement?.writable).toEqual([cwd, cacheDirectory])
    expect(variables.npm_config_cache?.startsWith(`${cacheDirectory}/`)).toBe(true)
    expect(variables.TMPDIR).toBe(confinement?.scratchDirectory)
  })

  test('are in the scratch directory where nothing else can be written', () => {
    const { confinement, variables } = online({ sandbox: domains, workspace: undefined, scratch: true })

    expect(confinement?.writable).toEqual([])
    expect(variables.XDG_CACHE_HOME?.startsWith(`${confinement?.scratchDirectory}/`)).toBe(true)
  })

  test('are nowhere where nothing can be written at all', () => {
    const { variables } = online({ sandbox: domains, workspace: undefined })

    expect(variables).not.toHaveProperty('CARGO_HOME')
  })

  test('are the user’s own without a network', () => {
    const { confinement, environment } = requestFor({ sandbox: 'workspace' })

    expect(confinement?.writable).toEqual([cwd])
    expect(environment.toString()).not.toContain('/bashward/caches/')
  })
})
