import { type DoctorReport, doctorReport } from '../../../lib/surfaces/cli/doctor.js'

const engine = { name: 'native' as const, reason: 'the self-test has passed', lacks: [] }
const program = { path: '/usr/bin/bashward' }
const machine = { platform: 'linux', kernel: '6.10.3', architecture: 'arm64', engine, program }

const report: DoctorReport = {
  ...machine,
  available: true,
  workspace: { available: true },
  landlock: { abi: 5, state: 'enabled' },
  protections: [
    { name: 'filesystem', enforced: true, mechanisms: ['Landlock'] },
    { name: 'devices', enforced: true, mechanisms: ['Landlock', 'seccomp'] },
    { name: 'signals', enforced: false, mechanisms: [], reason: 'needs Landlock ABI 6 (Linux 6.12)' },
  ],
}

const reason = 'Landlock is disabled at boot'
const unavailable: DoctorReport = {
  ...machine,
  available: false,
  reason,
  workspace: { available: false, reason },
  landlock: { abi: 0, state: 'disabledAtBoot' },
  protections: [{ name: 'filesystem', enforced: false, mechanisms: [], reason }],
}

describe('doctorReport', () => {
  test('tells the machine, the protections and the limits, aligned', () => {
    expect(doctorReport(report)).toBe(
      [
        'System           linux 6.10.3, arm64',
        'Engine           native: the self-test has passed',
        'Landlock         enabled, ABI 5',
        'Restricted mode  available, without signals',
        'Workspace mode   available, without signals',
        '',
        'PROTECTION  STATE          BY',
        'filesystem  enforced       Landlock',
        'devices     enforced       Landlock, seccomp',
        'signals     not available  needs Landlock ABI 6 (Linux 6.12)',
        '',
        'In Workspace mode filesystem and metadata hold outside of the writable directories.',
        'network and unixSockets leave out sockets among the processes of a command, and the hosts that a policy lists.',
        "Code that the host has loaded from a writable directory can be changed by commands; hostCode: 'refuse' refuses that.",
        '',
        'LIMIT          UNLESS SET OTHERWISE',
        'cpuSeconds     3600s of each process',
        'memoryBytes    4.0GB of each process',
        'fileSizeBytes  1.0GB',
        'openFiles      1024 of each process',
        'processes      4096 more than there are; none for root',
        '',
      ].join('\n'),
    )
  })

  test('tells where commands count bytes, and only there', () => {
    expect(doctorReport({ ...report, countsBy: 'bytes' })).toContain(
      'Workspace mode   available, without signals\n' +
        'Locale           none: ${#x}, cut -c and grep -P count bytes; LANG or LC_ALL has to name one that is installed\n',
    )
    expect(doctorReport({ ...report, countsBy: 'characters' })).not.toContain('Locale')
  })

  test('tells what an engine lacks', () => {
    const lacks = ['do this', 'do that']
    const portable = { name: 'portable' as const, reason: 'the native engine needs Linux', lacks }

    expect(doctorReport({ ...unavailable, engine: portable })).toContain(
      [
        'Engine           portable: the native engine needs Linux',
        '                 cannot: do this',
        '                 cannot: do that',
        'Landlock         disabled at boot\n',
      ].join('\n'),
    )
  })

  test.each([
    ['workingDirectory', 'where commands can write when it is their workspace'],
    ['earlierCommands', 'where commands of an earlier run could write'],
  ] as const)('tells that commands can change this program: %s', (reason, why) => {
    const changeable = { by: '/srv', path: '/srv/bashward', reason }
    const text = doctorReport({ ...report, program: { ...program, changeable } })

    expect(text).toContain(
      `\nProgram          /srv/bashward is in /srv, ${why}: install bashward elsewhere (npm install -g bashward), `,
    )
  })

  test('tells when no engine runs', () => {
    const none = { name: null, reason: 'BASHWARD_ENGINE is wrong', lacks: [] }

    expect(doctorReport({ ...unavailable, engine: none })).toContain(
      'Engine           none: BASHWARD_ENGINE is wrong\n',
    )
  })

  test('tells once why there is no Restricted mode', () => {
    const text = doctorReport(unavailable)

    expect(text).toContain(
      'Landlock         disabled at boot\nRestricted mode  not available: Landlock is disabled at boot\n',
    )
    expect(text).toContain('\nfilesystem  not available\n')
  })

  test('tells why there is no Workspace mode beside a Restricted mode', () => {
    const workspace = { available: false, reason: 'another seccomp listener' }
    const text = doctorReport({ ...report, workspace })

    expect(text).toContain('\nWorkspace mode   not available: another seccomp listener\n')
    expect(text).not.toContain('In Workspace mode')
  })

  test('colours do not change the alignment', () => {
    const mark = (style: string, text: string) => `<${style}>${text}</>`
    const text = doctorReport(report, { paint: mark })

    expect(text).toContain('\n<dim>PROTECTION</>  <dim>STATE</>          <dim>BY</>\n')
    expect(text).toContain('\nfilesystem  <green>enforced</>       Landlock\n')
    expect(text.replace(/<\/?\w*>/g, '')).toBe(doctorReport(report))
  })

  test('a protection that is missing is a warning, a missing mode is none', () => {
    const mark = (style: string, text: string) => `<${style}>${text}</>`
    const degraded = doctorReport(report, { paint: mark })
    const text = doctorReport(unavailable, { paint: mark })

    expect(degraded).toContain('\nRestricted mode  <yellow>available, without signals</>\n')
    expect(degraded).toContain('\nsignals     <yellow>not available</>  needs')
    expect(text).toContain(`\nRestricted mode  <red>not available: ${reason}</>\n`)
    expect(text).toContain('\nfilesystem  <red>not available</>\n')
  })

  test.each([80, 40])('fits a terminal of %d columns', (width) => {
    for (const shown of [report, unavailable]) {
      const lines = doctorReport(shown, { width }).split('\n')
      expect(lines.filter((line) => line.length > width)).toEqual([])
    }
  })
})
