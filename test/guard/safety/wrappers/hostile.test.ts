// Commands built to keep the check busy: their cost is bounded.
import { commandsIn } from './commands-in.js'

describe('hostile commands', () => {
  test.each([
    ['a command that evaluates itself', `X='eval "$X;$X"'; eval "$X"`],
    ['wrappers without end', 'sudo '.repeat(1000)],
    [
      'scripts in scripts',
      Array.from({ length: 30 }).reduce<string>((text) => `eval '${text.slice(0, 500)}'`, 'ls'),
    ],
  ])('%s', async (_, command) => {
    expect((await commandsIn(command)).length).toBeLessThan(20_000)
  })

  test.each([
    ['names that may vanish', '$x '],
    ['wrappers of many words', 'find . -exec '],
    ['wrappers of wrappers', 'xargs '],
  ])('%s: what is looked at is bounded by the length', async (_, piece) => {
    const text = piece.repeat(60_000 / piece.length)

    expect((await commandsIn(text)).join(' ').length).toBeLessThan(12 * text.length)
  })

  test('a command behind some names that may vanish is seen', async () => {
    expect(await commandsIn('$SUDO $NICE rm x')).toContain('rm x')
  })

  const long = 'A'.repeat(30_000)

  test.each([
    ['items that xargs puts into a word', `echo ${long} | xargs -I x y ${'x'.repeat(30_000)}`, 'y ?'],
    ['items that parallel puts into words', `parallel y ${'{}'.repeat(30_000)} ::: ${long}`, ''],
    ['paths that find puts into a word', `find ${long} -exec y a${'{}'.repeat(30_000)} ;`, 'y ?'],
    ['a long alias', `git config alias.y '${'a '.repeat(30_000)}'; ${'git y; '.repeat(500)}x`, 'x'],
  ])('%s: not known in the end', async (_, command, expected) => {
    const seen = await commandsIn(command)

    expect(seen.at(-1)).toBe(expected || seen[0])
    expect(seen.join('').length).toBeLessThan(3_000_000)
  })
})
