// What a command inherits, in each mode, and what the options change about it.

import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { BashError } from '../../../lib/base/errors.js'
import { nonInteractiveDefaults } from '../../../lib/processes/environment/defaults.js'
import { filterEnvironment } from '../../../lib/processes/environment/filter.js'
import { neverInherited } from '../../../lib/processes/environment/never-inherited.js'

const defaults = Object.fromEntries(nonInteractiveDefaults.map(({ name, value }) => [name, value]))
const bash = (env: Record<string, string>, command: string) =>
  execFileSync('bash', ['--norc', '-c', command], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })

describe('filtered, the default', () => {
  test('withholds secrets by name and by value, keeps the rest and adds the defaults', () => {
    const { env, removed } = filterEnvironment({
      PATH: '/bin',
      FOO: 'bar',
      FAKE_API_KEY: 'x',
      HTTPS_PROXY: 'http://me:pass@proxy:1',
    })
    expect(env).toEqual({ PATH: '/bin', FOO: 'bar', ...defaults })
    expect(removed).toEqual(['FAKE_API_KEY', 'HTTPS_PROXY'])
  })

  test.each([...neverInherited.map(({ name }) => name), 'BASH_FUNC_ls%%'])(
    'withholds %s, even if allowed',
    (name) => {
      const { env, removed } = filterEnvironment({ [name]: 'x' }, { allow: ['*'] })
      expect(env).not.toHaveProperty([name])
      expect(removed).toEqual([name])
    },
  )

  test('keeps PATH whatever it looks like', () => {
    const path = '/bin:/opt/http://a:b@c'
    expect(filterEnvironment({ PATH: path }).env.PATH).toBe(path)
  })

  test('a default replaces what the host has for a person', () => {
    const { env, removed } = filterEnvironment({ EDITOR: 'vim', PAGER: 'less', TERM: 'xterm' })
    expect(env).toMatchObject({ EDITOR: 'false', PAGER: 'cat', TERM: 'dumb' })
    expect(removed).toEqual([])
  })

  test('judges a variable anew when its value changes', () => {
    const kept = (value: string) => 'SERVICE' in filterEnvironment({ SERVICE: value }).env
    const secret = 'http://me:pass@service'
    expect(['plain', secret, 'plain', secret].map(kept)).toEqual([true, false, true, false])
  })

  test('keeps its judgement over thousands of different names', () => {
    for (let i = 0; i < 2_000; i++) {
      expect(filterEnvironment({ [`A_${i}`]: '', [`TOKEN_${i}`]: '' }).removed).toEqual([`TOKEN_${i}`])
    }
  })

  test('without one of its entries, none of the GIT_CONFIG_COUNT configuration is passed on', () => {
    const { env, removed } = filterEnvironment({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_CONFIG_KEY_1: 'http.extraHeader',
      GIT_CONFIG_VALUE_1: 'Authorization: Basic abc',
    })
    expect(Object.keys(env).filter((name) => name.startsWith('GIT_CONFIG'))).toEqual([])
    expect(removed).toHaveLength(5)
  })

  test('a complete GIT_CONFIG_COUNT configuration is passed on', () => {
    const source = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
    expect(filterEnvironment(source)).toEqual({ env: { ...source, ...defaults }, removed: [] })
  })
})

describe('all', () => {
  test('inherits everything and adds nothing', () => {
    const source = { FAKE_API_KEY: 'x', BASH_ENV: '/tmp/x', EDITOR: 'vim' }
    expect(filterEnvironment(source, { inherit: 'all' })).toEqual({ env: source, removed: [] })
  })

  test('deny and set still hold', () => {
    const { env, removed } = filterEnvironment(
      { A: '1', B: '2' },
      { inherit: 'all', deny: ['A'], set: { C: '3' } },
    )
    expect(env).toEqual({ B: '2', C: '3' })
    expect(removed).toEqual(['A'])
  })
})

describe('none', () => {
  const basics = {
    PATH: '/bin',
    HOME: '/root',
    USER: 'me',
    LOGNAME: 'me',
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    LC_ALL: 'C',
    TZ: 'UTC',
    TMPDIR: '/tmp',
  }

  test('keeps the basics, adds the defaults and lists the rest as removed', () => {
    const { env, removed } = filterEnvironment({ ...basics, B: '2', A: '1' }, { inherit: 'none' })
    expect(env).toEqual({ ...basics, ...defaults })
    expect(removed).toEqual(['A', 'B'])
  })

  test('allow names what else is kept', () => {
    const { env } = filterEnvironment(
      { JAVA_HOME: '/jdk', MY_TOKEN: 'x', A: '1' },
      {
        inherit: 'none',
        allow: ['JAVA_HOME', '*_TOKEN'],
      },
    )
    expect(env).toEqual({ JAVA_HOME: '/jdk', MY_TOKEN: 'x', ...defaults })
  })

  test('a basic name does not protect a secret', () => {
    expect(filterEnvironment({ LC_TOKEN: 'x' }, { inherit: 'none' }).removed).toEqual(['LC_TOKEN'])
  })
})

describe('options', () => {
  test('allow keeps a secret by name and by value', () => {
    const source = { GH_TOKEN: 'x', HTTPS_PROXY: 'http://me:pass@proxy', OTHER_TOKEN: 'x' }
    const { env, removed } = filterEnvironment(source, { allow: ['GH_*', 'HTTPS_PROXY'] })
    expect(env).toMatchObject({ GH_TOKEN: 'x', HTTPS_PROXY: 'http://me:pass@proxy' })
    expect(removed).toEqual(['OTHER_TOKEN'])
  })

  test('deny beats allow', () => {
    const { env, removed } = filterEnvironment({ A_1: '', A_2: '' }, { allow: ['*'], deny: ['*_1'] })
    expect(env).toHaveProperty('A_2')
    expect(removed).toEqual(['A_1'])
  })

  test('set is not filtered and beats deny and the defaults', () => {
    const set = { GH_TOKEN: 'x', EDITOR: 'ed', BASH_ENV: '/x', PATH: '/sbin' }
    const { env, removed } = filterEnvironment(
      { GH_TOKEN: 'host', PATH: '/bin' },
      { deny: ['PATH', 'GH_TOKEN'], set },
    )
    expect(env).toMatchObject(set)
    expect(removed).toEqual([])
  })

  test('undefined in set removes a variable and a default, and lists what the host had', () => {
    const { env, removed } = filterEnvironment(
      { A: '1', EDITOR: 'vim' },
      { deny: ['EDITOR'], set: { A: undefined, EDITOR: undefined, TERM: undefined, NONE: undefined } },
    )
    for (const name of ['A', 'EDITOR', 'TERM', 'NONE']) expect(env).not.toHaveProperty(name)
    expect(removed).toEqual(['A', 'EDITOR'])
  })

  test('wrong options are refused', () => {
    const call = () => filterEnvironment({}, { set: { FOO: 42 as unknown as string } })
    expect(call).toThrow(BashError)
    expect(call).toThrow('env.set.FOO: must be a string or undefined (got 42)')
  })
})

describe('sources', () => {
  test.each(['filtered', 'all'] as const)('%s: what execve cannot pass is left out', (inherit) => {
    const source = { '': 'x', 'A=B': 'x', 'A\0': 'x', NUL: 'a\0b', LONG: 'x'.repeat(131_072), GOOD: 'x' }
    const { env, removed } = filterEnvironment(source, { inherit })
    expect(env).toEqual({ GOOD: 'x', ...(inherit === 'all' ? {} : defaults) })
    expect(removed).toEqual(['LONG', 'NUL'])
  })

  test('the source is not changed', () => {
    const source = Object.freeze({ A: '1', GH_TOKEN: 'x', B: undefined })
    expect(filterEnvironment(source, { set: { A: '2' } }).env.A).toBe('2')
    expect(source).toEqual({ A: '1', GH_TOKEN: 'x' })
  })

  test.each([
    [null, 'source: must be an object (got null)'],
    [{ A: 1 }, 'source.A: must be a string or undefined (got 1)'],
  ])('%j is refused', (source, message) => {
    expect(() => filterEnvironment(source as unknown as Record<string, string>)).toThrow(message)
  })
})

describe('for any source and options', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\0b', 'http://a:b@c', '__proto__', 'PATH', 'EDITOR', 'MY_TOKEN', 'A=B', 'BASH_ENV'),
  )
  const passable = (value: string) => !value.includes('\0')
  const name = text.filter((value) => value !== '' && passable(value) && !value.includes('='))
  const source = fc.dictionary(text, fc.option(text, { nil: undefined }))
  const options = fc.record(
    {
      inherit: fc.constantFrom('filtered' as const, 'all' as const, 'none' as const),
      allow: fc.array(name),
      deny: fc.array(name),
      set: fc.dictionary(name, fc.option(text.filter(passable), { nil: undefined })),
    },
    { requiredKeys: [] },
  )

  test('set wins, no NUL comes out, and removed is exactly what the host had and the command has not', () => {
    fc.assert(
      fc.property(source, options, (source, options) => {
        const { env, removed } = filterEnvironment(source, options)
        for (const [key, value] of Object.entries(options.set ?? {})) expect(env[key]).toBe(value)
        for (const [key, value] of Object.entries(env)) expect(`${key}=${value}`).not.toContain('\0')
        const missing = Object.keys(source).filter(
          (key) => source[key] !== undefined && !(key in env) && /^[^=\0]+$/.test(key),
        )
        expect(removed).toEqual(missing.sort())
      }),
      { numRuns: 500 },
    )
  })
})

describe('in a real bash', () => {
  const host = {
    ...process.env,
    FAKE_API_KEY: 'fake-value-of-the-key',
    SERVICE: 'https://me:fake-password@service.example',
    'BASH_FUNC_ls%%': '() { echo hijacked; }',
    SHELLOPTS: 'braceexpand:hashall:interactive-comments:xtrace',
    BASH_ENV: '/dev/stdin',
    GREETING: 'hello  world\nsecond line',
  }

  test('secrets are absent, the rest arrives unchanged', () => {
    const { env, removed } = filterEnvironment(host)
    const output = bash(env, 'env; printf "[%s]" "$GREETING" "$EDITOR"')
    expect(output).not.toContain('fake-value-of-the-key')
    expect(output).not.toContain('fake-password')
    expect(output).toContain('[hello  world\nsecond line][false]')
    expect(removed).toEqual(expect.arrayContaining(['BASH_ENV', 'BASH_FUNC_ls%%', 'FAKE_API_KEY', 'SERVICE']))
    expect(JSON.stringify(removed)).not.toMatch(/fake-|hijacked/)
  })

  test("the host's functions and shell options do not reach it", () => {
    const { env } = filterEnvironment(host)
    expect(bash(env, 'type -t ls; [[ $- == *x* ]] || echo quiet')).toBe('file\nquiet\n')
  })

  test('all gives it what the host has', () => {
    const { env } = filterEnvironment({ PATH: process.env.PATH, FAKE_API_KEY: 'k' }, { inherit: 'all' })
    expect(bash(env, 'echo "$FAKE_API_KEY:$EDITOR"')).toBe('k:\n')
  })
})
