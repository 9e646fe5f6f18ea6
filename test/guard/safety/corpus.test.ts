import { checkCommand } from '../../../lib/guard/safety/check-command.js'
import { corpusOptions, readCorpus } from './corpus.js'

const verdictOf = async (command: string) => (await checkCommand(command, corpusOptions)).rule

describe('the corpus', () => {
  test.each(['rejected', 'allowed'] as const)('%s commands have the expected verdict', async (name) => {
    const entries = readCorpus(name)
    const wrong: string[] = []
    for (const { command, rule, line } of entries) {
      const verdict = await verdictOf(command)
      if (verdict !== rule) wrong.push(`${name}.txt:${line}: ${command} => ${verdict}`)
    }

    expect(wrong).toEqual([])
  })
})
