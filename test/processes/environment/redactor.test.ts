// What withheld variables come to in output.
import { filterWithValues } from '../../../lib/processes/environment/filter.js'
import { redactorFor } from '../../../lib/processes/environment/redactor.js'
import { secretValues } from './secret-samples.js'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

const withheldFrom = (source: Record<string, string>, options = {}) =>
  filterWithValues(source, options).withheld.map(([name]) => name)

describe('what is looked for', () => {
  test('are secrets, and what is denied', () => {
    const source = { GH_TOKEN: secret, ACME: 'value', HOME: '/root', PROMPT_COMMAND: 'date' }

    expect(withheldFrom(source, { deny: ['ACME'] })).toEqual(['GH_TOKEN', 'ACME'])
  })

  test('with inherit none only those of what is missing', () => {
    expect(withheldFrom({ GH_TOKEN: secret, BUILD_NAME: 'website' }, { inherit: 'none' })).toEqual([
      'GH_TOKEN',
    ])
  })

  test('with inherit all what is denied', () => {
    expect(withheldFrom({ GH_TOKEN: secret, ACME: 'v' }, { inherit: 'all', deny: ['ACME'] })).toEqual([
      'ACME',
    ])
  })

  test('is not what the command has all the same', () => {
    expect(withheldFrom({ GH_TOKEN: secret }, { allow: ['GH_TOKEN'] })).toEqual([])
    expect(withheldFrom({ GH_TOKEN: secret }, { set: { TOKEN_OF_MINE: secret } })).toEqual([])
  })

  test('is what is removed by name', () => {
    expect(withheldFrom({ ACME: secret.toLowerCase() }, { set: { ACME: undefined } })).toEqual(['ACME'])
  })
})

describe('a redactor', () => {
  const redact = (value: string, text: string) =>
    redactorFor({ withheld: [['NAME', value]], tokens: false })?.text(text) ?? text

  test('finds the password of a URL alone', () => {
    const url = 'postgres://app:s3cr%2Bet-pw@db/app'

    expect(redact(url, `${url} s3cr%2Bet-pw s3cr+et-pw`)).toBe(
      '[removed: NAME] [removed: NAME] [removed: NAME]',
    )
  })

  test('leaves a URL with a plain password recognizable apart from itself', () => {
    const url = 'postgres://postgres:postgres@localhost/app'

    expect(redact(url, `postgres ${url}`)).toBe('postgres [removed: NAME]')
  })

  test('finds the longer lines of a value', () => {
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkqhkiG9w0B',
      'c2hvcnQ=',
      '-----END PRIVATE KEY-----',
    ].join('\n')

    expect(redact(key, 'x MIIEvQIBADANBgkqhkiG9w0B c2hvcnQ= BEGIN')).toBe('x [removed: NAME] c2hvcnQ= BEGIN')
    expect(redact(key, `x\n${key}\ny`)).toBe('x\n[removed: NAME]\ny')
  })

  test('finds what authorizes in a header alone', () => {
    const basic = Buffer.from('bob:s3cr%2Bet-pw').toString('base64')

    expect(redact(`Authorization: Basic ${basic}`, `${basic} s3cr%2Bet-pw`)).toBe(
      '[removed: NAME] [removed: NAME]',
    )
    expect(redact('Bearer 7f3k9-x2v5q', 'x 7f3k9-x2v5q')).toBe('x [removed: NAME]')
  })

  test('finds a token in base64 behind the name of its user', () => {
    for (const user of ['x', 'me', 'bob']) {
      const shown = redact(secret, `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`)

      expect(shown).toMatch(/^Basic \S{1,7}\[removed: NAME\]\S{0,4}$/)
    }
  })

  test('there is none for words', () => {
    expect(redactorFor({ withheld: [['DB_PASSWORD', 'postgres']], tokens: false })).toBeUndefined()
  })

  test('is made once for the same values', () => {
    const [first, second] = [secret, secret].map((value) =>
      redactorFor({ withheld: [['A', value]], tokens: false }),
    )

    expect(first).toBe(second)
    expect(first).not.toBe(redactorFor({ withheld: [['A', secret]], tokens: true }))
  })
})

describe('with tokens by their shape', () => {
  const tokens = redactorFor({ tokens: true })
  const heldOf = (text: string) => text.slice(tokens?.unfinished(Buffer.from(text, 'latin1')).start)

  test.each([
    'jwt',
    'aws-key',
    'google-key',
    'forge-token',
    'registry-token',
    'model-key',
    'service-key',
    'chat-token',
  ])('each beginning of a token waits for the rest: %s', (rule) => {
    for (const value of secretValues[rule] ?? []) {
      const [{ start, end } = { start: 0, end: 0 }] = tokens?.find(Buffer.from(value)) ?? []
      expect(end).toBeGreaterThan(start)
      for (let to = start + 1; to < end; to++) expect(heldOf(value.slice(0, to))).toBe(value.slice(start, to))
    }
  })

  test('so does that of a private key', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpA'
    for (let to = 1; to <= key.length; to++) expect(heldOf(`a ${key.slice(0, to)}`)).toBe(key.slice(0, to))
  })

  test.each([
    'http://localhost:5173',
    'installation?',
    'npm_config_cache=/root/.npm',
    '0.1.2-rc.1',
    'a@b.example',
  ])('what begins none waits no longer than a few characters do: %s', (word) => {
    expect(tokens?.unfinished(Buffer.from(`Continue with ${word}`))?.isShort).toBe(true)
  })
})
