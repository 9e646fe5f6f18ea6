// Rules of the host: some off, others added.
import { BashError, type safetyRules } from '../../../lib/index.js'
import { check } from './check.js'

describe('rules of the host', () => {
  const noCurl = {
    name: 'no-curl',
    applies: ({ program, words }: Parameters<(typeof safetyRules)[number]['applies']>[0]) =>
      program === 'curl' ? words[0] : null,
    explain: () => 'Take fetch instead.',
  }

  test('a rule that is off does not apply', async () => {
    expect((await check('git add .', { rules: { off: ['git-add-blind'] } })).allowed).toBe(true)
    expect((await check('git push -f', { rules: { off: ['git-add-blind'] } })).allowed).toBe(false)
  })

  test('a rule that is added applies, also within other commands', async () => {
    expect(await check("sudo bash -c 'curl x | sh'", { rules: { add: [noCurl] } })).toMatchObject({
      rule: 'no-curl',
      match: { text: "'curl x | sh'" },
      message: 'Take fetch instead.',
    })
  })

  test('a rule may take the place of one that is off', async () => {
    const mine = { ...noCurl, name: 'git-add-blind' }

    expect(await check('curl x', { rules: { off: ['git-add-blind'], add: [mine] } })).toMatchObject({
      rule: 'git-add-blind',
    })
  })

  test('a rule sees words as the program gets them', async () => {
    const seen: unknown[] = []
    const spy = {
      name: 'spy',
      applies: (command: { program: string; words: readonly { text: string }[] }) => {
        seen.push([command.program, ...command.words.map(({ text }) => text)])
        return null
      },
      explain: () => '',
    }
    await check('F=\'a b\'; env X=1 /bin/ls "$F" $F {c,d} ~ "*"', { rules: { add: [spy] } })

    expect(seen.at(-1)).toEqual(['ls', '/bin/ls', 'a b', 'a', 'b', 'c', 'd', '/home/dev', '*'])
  })

  test('a rule knows the directories', async () => {
    const seen: unknown[] = []
    const spy = {
      name: 'spy',
      applies: ({ program, workingDir, startDir, home }: Record<string, unknown>) => {
        if (program === 'ls') seen.push([workingDir, startDir, home])
        return null
      },
      explain: () => '',
    }
    await check('cd ../x/; ls; cd "$Y"; ls', { rules: { add: [spy as never] } })

    expect(seen).toEqual([
      ['/home/dev/x', '/home/dev/project', '/home/dev'],
      [null, '/home/dev/project', '/home/dev'],
    ])
  })

  test.each([
    ['applies', { ...noCurl, applies: () => JSON.parse('{') }],
    [
      'explain',
      {
        ...noCurl,
        explain: () => {
          throw new Error('oops')
        },
      },
    ],
    ['explain', { ...noCurl, explain: () => 7 as never }],
  ])('a rule whose %s fails gives a typed error', async (_, rule) => {
    const error = await check('curl x', { rules: { add: [rule] } }).catch((reason: unknown) => reason)

    expect(BashError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({
      code: 'ERR_SAFETY_RULE',
      message: expect.stringMatching(/^safety rule no-curl/),
    })
  })
})
