// What a model reads about Restricted mode before it calls a tool.
import { describeRestricted, describeTool, type Restriction } from '../../../lib/guard/sandbox/description.js'
import type { CheckedPolicy } from '../../../lib/guard/sandbox/policy.js'
import { describeBashTool } from '../../../lib/tools/bash-schema.js'
import { describeExecTool } from '../../../lib/tools/exec-tool.js'
import { describeSuiteBash } from '../../../lib/tools/suite/bash.js'

const plain = { scratch: false, missing: [] }

describe('describeRestricted', () => {
  test('names what is refused, and forbids to work around it', () => {
    expect(describeRestricted(plain).split('\n')).toEqual([
      'RESTRICTED MODE: commands can read and compute. The kernel refuses the rest:',
      '- Files are read-only, those in /tmp too. Give scripts as here-documents of at most 64 KiB, not as files. From a',
      '  pipe tac reads nothing, and sort loses all from 0.75 MB on, with status 0: give it memory (sort -S 1G).',
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

describe('where something can be written', () => {
  const policy: CheckedPolicy = {
    writable: ['.'],
    unreadable: ['default'],
    protect: ['default'],
    network: false,
    loopback: false,
    unixSockets: false,
    sharedMemory: false,
    hostCode: 'report',
  }
  const workspace: Restriction = { scratch: true, missing: [], sandbox: 'workspace', policy }
  const linesOf = (restriction: Restriction) => describeTool('', '/ws', restriction).split('\n')

  test('names where, what is refused elsewhere, and what is watched', () => {
    expect(linesOf(workspace)).toEqual([
      'WORKSPACE MODE: files can be changed below /ws and $TMPDIR only. The kernel refuses the rest:',
      '- All other files are read-only, those in /tmp too. $TMPDIR is private to the command, limited in size, and removed after it.',
      '- Cannot be read: keys and passwords of the user, in ~/.ssh and such places.',
      '- There is no network, not even localhost, and nothing can be downloaded.',
      '- Processes outside the command can be neither signalled nor traced.',
      '- No set-user-id bits, and no shared memory (/dev/shm).',
      '- Unless it is what you are asked for, do not change .git/hooks, .git/config, .envrc, and whatever else programs execute unasked: such changes are reported.',
      'What is refused stays refused. Never try to work around a refusal: say what could not be done, and why.',
      '',
      '<pwd>/ws</pwd>',
    ])
  })

  test('names servers of the command, which only it can reach', () => {
    const lines = linesOf({ ...workspace, policy: { ...policy, loopback: true } })

    expect(lines).toContain('- There is no network beyond localhost, and nothing can be downloaded.')
    expect(lines).toContain(
      '- Servers on localhost, over TCP, can be reached by the command that started them: start and use them in one',
    )
  })

  test('names the hosts that can be reached, and how', () => {
    const network = { domains: ['registry.example', '*.example.org'] }
    const text = linesOf({ ...workspace, policy: { ...policy, network } }).join('\n')

    expect(text).toContain(
      '- Of the network only registry.example, *.example.org can be reached, by the proxy in $HTTPS_PROXY, which most programs\n',
    )
    expect(text).toContain('- No servers, not even on localhost.')
    expect(text).not.toContain('There is no network')
  })

  test('names a few of many hosts', () => {
    const network = { domains: Array.from({ length: 9 }, (_, index) => `${index}.example`) }
    const text = linesOf({ ...workspace, policy: { ...policy, network } }).join('\n')

    expect(text).toContain(
      'only 0.example, 1.example, 2.example, 3.example, 4.example, 5.example, 3 more can be reached',
    )
  })

  test('names hosts where nothing can be written, too', () => {
    const reading = { ...policy, writable: [], network: { domains: ['a.example'] }, loopback: true }
    const text = linesOf({ ...workspace, scratch: false, sandbox: 'custom', policy: reading }).join('\n')

    expect(text).toContain('Of the network only a.example can be reached')
    expect(text).toContain('Servers on localhost')
  })

  test('names every directory, wherever relative ones begin', () => {
    const writable = ['.', '/srv/cache', '~/notes', '../other']
    const [first] = linesOf({ ...workspace, policy: { ...policy, writable }, base: '/home/me/ws' })

    expect(first).toContain('below /home/me/ws, /srv/cache, ~/notes, /home/me/other and $TMPDIR only')
  })

  test('says nothing of what the policy does not have', () => {
    const none = { ...policy, unreadable: [], protect: [], sharedMemory: true }
    const text = linesOf({ ...workspace, scratch: false, policy: none }).join('\n')

    expect(text).toContain('below /ws only')
    expect(text).not.toMatch(/TMPDIR|Cannot be read|do not change|shared memory/)
  })

  test('names a few of the paths that a policy has', () => {
    const unreadable = ['default', ...Array.from({ length: 9 }, (_, index) => `/srv/${index}`)]
    const [line] = linesOf({ ...workspace, policy: { ...policy, unreadable, protect: ['Makefile'] } }).filter(
      (line) => line.startsWith('- Cannot be read'),
    )

    expect(line).toBe(
      '- Cannot be read: /srv/0, /srv/1, /srv/2, /srv/3, /srv/4, /srv/5, 3 more, keys and passwords of the user, in ~/.ssh and such places.',
    )
  })

  test('names what this kernel does not refuse outside of the directories', () => {
    expect(linesOf({ ...workspace, missing: ['metadata', 'signals'] })).toContain(
      'This kernel does not refuse all of it. Forbidden all the same: ' +
        'changing modes, owners, times and attributes elsewhere; signalling processes outside the command.',
    )
  })

  test('the bash tool advises to write scripts to files, and not to serve', () => {
    const text = describeBashTool('/ws', workspace)

    expect(text).toContain('write them to a file first')
    expect(text).not.toContain('downloads')
  })

  test('and to download, where there are hosts', () => {
    const online = { ...policy, network: { domains: ['a.example'] } }

    expect(describeBashTool('/ws', { ...workspace, policy: online })).toContain(
      'downloads,\ninstalls, tests, or any',
    )
  })

  test('a policy of a name of its own is called a sandbox', () => {
    expect(linesOf({ ...workspace, sandbox: 'custom' })[0]).toMatch(/^SANDBOX: files can be changed/)
    const reading = { ...policy, writable: [], unreadable: ['/srv/keys'] }
    const lines = linesOf({ ...workspace, scratch: false, sandbox: 'custom', policy: reading })

    expect(lines[0]).toBe('SANDBOX: commands can read and compute. The kernel refuses the rest:')
    expect(lines).toContain('- Cannot be read: /srv/keys.')
  })
})
