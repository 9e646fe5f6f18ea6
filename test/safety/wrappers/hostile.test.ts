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
