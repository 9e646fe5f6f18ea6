// What a model reads about Restricted mode before it calls a tool.
import { describeRestricted } from '../../lib/sandbox/description.js'
import { describeBashTool } from '../../lib/tools/bash-schema.js'
import { describeExecTool } from '../../lib/tools/exec-tool.js'
import { describeSuiteBash } from '../../lib/tools/suite/bash.js'

const plain = { scratch: false, missing: [] }

describe('describeRestricted', () => {
  test('names what is refused, and forbids to work around it', () => {
    expect(describeRestricted(plain).split('\n')).toEqual([
      'RESTRICTED MODE: commands can read and compute. The kernel refuses the rest:',
      '- Files are read-only, those in /tmp too. Give scripts as here-documents of at most 64 KiB, not as files; sort has',
      '  no temporary files, so give it memory for much data (-S 1G).',
      '- There is no network, not even localhost, and nothing can be installed.',
      '- Processes outside the command can be neither signalled nor traced.',
      'What is refused stays refused. Never try to work around a refusal: say what could not be done, and why.',
    ])
  })

  test('names the directory that can be written, if there is one', () => {
    expect(describeRestricted({ scratch: true, missing: [] })).toContain('Only $TMPDIR can be written')
    expect(describeRestricted(plain)).not.toContain('TMPDIR')
  })

  test('names what this kernel does not refuse', () => {
    expect(describeRestricted({ scratch: false, missing: ['signals', 'network'] })).toContain(
      '\nThis kernel does not refuse all of it. Forbidden all the same: ' +
        'signalling processes outside the command; using the network.',
    )
  })
})

describe.each([
  ['describeBashTool', describeBashTool],
  [
    'describeExecTool',
    (dir: string, restriction?: typeof plain) => describeExecTool(dir, 30_000, restriction),
  ],
  [
    'describeSuiteBash',
    (dir: string, restriction?: typeof plain) => describeSuiteBash(dir, true, restriction),
  ],
])('%s', (_, describeTool) => {
  test('in Restricted mode adds the constraints, and the working directory stays the last line', () => {
    const [unrestricted, restricted] = [describeTool('/work'), describeTool('/work', plain)]
    const pwd = '\n\n<pwd>/work</pwd>'

    expect(unrestricted.endsWith(pwd)).toBe(true)
    expect(unrestricted).not.toContain('RESTRICTED')
    expect(restricted.endsWith(`\n\n${describeRestricted(plain)}${pwd}`)).toBe(true)
    expect(restricted.split('\n')[0]).toBe(unrestricted.split('\n')[0])
  })
})
