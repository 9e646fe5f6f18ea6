// Tokens, and what is made of them.
import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import { parseTokens, Token } from '../../../../lib/surfaces/mcp/http/tokens.js'
import { newToken } from './servers.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

describe('a file of tokens', () => {
  test('has one a line', () => {
    const [one, two] = [newToken(), newToken()]
    const tokens = parseTokens(`# for me\n${one}\n\n  ${two}  \r\n`)

    expect(tokens.map(({ name }) => name)).toEqual(
      [one, two].map((token) => sha256(token).toString('hex').slice(0, 12)),
    )
  })

  test.each([
    ['nothing', '', 'there is no token in it'],
    ['remarks', '# none\n', 'there is no token in it'],
    ['a short one', 'a1b2c3d4e5f6\n', 'line 1: a token must have 32 to 1024 characters (this one has 12)'],
    [
      'one that is cut by a blank',
      `\n${'ab12cd34'.repeat(3)} ${'ef56'.repeat(4)}\n`,
      'line 2: a token must consist of letters, digits and -._~+/, and may end with =',
    ],
    [
      'one with letters that no header has',
      `${'ä'.repeat(40)}`,
      'line 1: a token must consist of letters, digits and -._~+/, and may end with =',
    ],
    ['one that is no secret', 'a'.repeat(40), 'line 1: a token must be random'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => parseTokens(text)).toThrow(message)
  })

  test('with the same one twice is refused, and not shown', () => {
    const token = newToken()

    expect(() => parseTokens(`${token}\n${token}\n`)).toThrow(/^line 2: the same token again$/)
  })
})

describe('a token', () => {
  test('is known by its hash alone', () => {
    const text = newToken()
    const token = new Token(text)

    expect(token.is(sha256(text))).toBe(true)
    expect(token.is(sha256(newToken()))).toBe(false)
    expect(inspect(token, { showHidden: true, depth: 9 }) + JSON.stringify(token)).not.toContain(text)
  })

  test('knows its conversations, also after a restart, and no others', () => {
    const text = newToken()
    const conversation = new Token(text).newConversation()
    const last = conversation.at(-1) === 'A' ? 'Q' : 'A'

    expect(new Token(text).hasMade(conversation)).toBe(true)
    expect(new Token(newToken()).hasMade(conversation)).toBe(false)
    for (const other of [
      `${conversation.slice(0, -1)}${last}`,
      conversation.toUpperCase(),
      '',
      undefined,
      1,
      [conversation],
    ]) {
      expect(new Token(text).hasMade(other)).toBe(false)
    }
  })
})
