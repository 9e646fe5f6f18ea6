// Executes what a page shows, and compares it with what the page says it prints:
//
//   js        a program, run as an ES module, that ends well; a text block right behind it is what it prints
//   diff      a program before and after: the one without the removed lines is run, likewise
//   console   after each `$ ` a command line, and below it what it prints, on both streams
//
// What may differ from run to run: placeholders.ts.
import { probeSandbox } from '../../lib/index.js'
import { cannotTest } from '../support/must-work.js'
import { whyNotRestricted } from '../support/restricted.js'
import { removeTempDirs } from '../support/temp-dir.js'
import { type Block, blocksOf } from './blocks.js'
import { Placeholders } from './placeholders.js'
import { Reader } from './reader.js'
import { scriptedModel } from './scripted-model.js'

export interface PageOptions {
  /** Whether all that it shows needs Restricted mode, also where that is not to be seen. */
  restricted?: boolean
  /** Likewise for Workspace mode. */
  workspace?: boolean
}

/** A test for each block, which all have the same reader. */
export const testPage = (page: string, { restricted = false, workspace = false }: PageOptions = {}): void => {
  const placeholders = new Placeholders()
  let reader: Reader
  beforeAll(() => {
    reader = new Reader()
  })
  afterEach(() => reader.endJobs())
  afterAll(removeTempDirs)

  const executed = blocksOf(page).filter(({ language }) => /^(?:js|diff|console)$/.test(language))
  test.each(executed)(`${page}.md, line $line: $language`, async (block) => {
    const needsWorkspace = workspace || /--workspace|'workspace'|writable:/.test(block.code)
    const needsSandbox = restricted || /--restricted|'restricted'/.test(block.code)
    const obstacle =
      (needsSandbox ? await whyNotRestricted() : undefined) ??
      (needsWorkspace ? await whyNoWorkspace() : undefined)
    if (obstacle !== undefined) return cannotTest(obstacle)
    for (const { code, expected } of trialsOf(block)) {
      const run = block.language === 'console' ? reader.type : reader.runModule
      const printed = run.call(reader, placeholders.fill(code))
      if (expected === undefined) continue
      const shown = withoutBlankEnds(expected)
      expect([code, placeholders.settle(withoutBlankEnds(printed), shown)]).toEqual([code, shown])
    }
  })
}

const whyNoWorkspace = async (): Promise<string | undefined> => {
  const { available, reason = '' } = (await probeSandbox()).workspace
  return available ? undefined : reason
}

interface Trial {
  code: string
  /** Undefined: whatever it is. */
  expected: string | undefined
}

const trialsOf = ({ language, code, printed }: Block): Trial[] => {
  if (language === 'console') return linesOf(code)
  const program = language === 'diff' ? code.replace(/^-.*\n/gm, '').replace(/^[+ ]/gm, '') : code
  return [{ code: /\bmodel,/.test(program) ? scriptedModel + program : program, expected: printed }]
}

/** A line may go on after a backslash. */
const linesOf = (code: string): Trial[] => {
  const [before, ...parts] = code.split(/^\$ /m)
  if (before !== '' || parts.length === 0) throw new Error(`a console block begins with "$ ":\n${code}`)
  return parts.map((part) => {
    const [, line = '', expected = ''] = /^((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(part) ?? []
    return { code: line, expected }
  })
}

/** Removes what nobody sees and editors strip. */
const withoutBlankEnds = (text: string): string => text.replace(/[ \n]+$/, '').replace(/ +\n/g, '\n')
