import { isMainThread } from 'node:worker_threads'
import { CommandEnvironment } from '../../../lib/processes/environment/command-environment.js'
import { killHosts, runHost } from '../../support/host.js'

afterEach(killHosts)

interface Seen {
  seen: string[]
  names: string[]
}

const environmentOfTests = () => {
  const { FOO: _, ...env } = process.env
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BASHWARD_')))
}

describe('the environment of commands', () => {
  test('follows every change of the process', async () => {
    const { seen } = await runHost<Seen>('changing-environment', {
      argument: { replaced: false },
      env: environmentOfTests(),
    })
    expect(seen).toEqual(['', 'first', 'second', 'second', ''])
  })

  test('follows a process.env that was replaced by a plain object', async () => {
    const { seen } = await runHost<Seen>('changing-environment', {
      argument: { replaced: true },
      env: environmentOfTests(),
    })
    expect(seen).toEqual(['', 'first', 'second', 'second', ''])
  })

  test.each([false, true])('leaves no trace of looking (replaced: %s)', async (replaced) => {
    const { names } = await runHost<Seen>('changing-environment', {
      argument: { replaced },
      env: environmentOfTests(),
    })
    expect(names).toEqual([])
  })

  test('follows the environment of a test framework, which is no real one', () => {
    expect(isMainThread).toBe(true)
    const environment = new CommandEnvironment({ inherit: 'none', allow: ['BASHWARD_TEST_FOO'] })
    process.env.BASHWARD_TEST_FOO = 'bar'
    try {
      expect(environment.current().encoded.toString()).toContain('BASHWARD_TEST_FOO=bar\0')
    } finally {
      delete process.env.BASHWARD_TEST_FOO
    }
    expect(environment.current().encoded.toString()).not.toContain('BASHWARD_TEST_FOO')
  })

  test('has variables of any name', () => {
    Object.assign(process.env, { constructor: 'x' })
    try {
      expect(new CommandEnvironment({}).current().encoded.toString()).toContain('\0constructor=x\0')
    } finally {
      Reflect.deleteProperty(process.env, 'constructor')
    }
  })

  describe('PWD and OLDPWD of the host', () => {
    const host = { PWD: process.env.PWD, OLDPWD: process.env.OLDPWD }
    beforeEach(() => {
      Object.assign(process.env, { PWD: '/host', OLDPWD: '/host/before' })
    })
    afterEach(() => {
      for (const [name, value] of Object.entries(host)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    })

    test.each(['filtered', 'none'] as const)('inherit: %s leaves them out', (inherit) => {
      const { encoded, withoutPwd } = new CommandEnvironment({ inherit }).current()

      expect(withoutPwd).toBe(true)
      expect(encoded.toString()).not.toMatch(/(?:^|\0)(?:OLD)?PWD=/)
    })

    test('inherit: all passes them on', () => {
      const { encoded, withoutPwd } = new CommandEnvironment({ inherit: 'all' }).current()

      expect(withoutPwd).toBe(false)
      expect(encoded.toString()).toMatch(/(?:^|\0)PWD=\/host\0/)
      expect(encoded.toString()).toMatch(/(?:^|\0)OLDPWD=\/host\/before\0/)
    })
  })
})
