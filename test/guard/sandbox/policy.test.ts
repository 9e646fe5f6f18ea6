// Policies as callers give them: what is understood, what is refused, and what tells two of them apart.
import {
  type CheckedPolicy,
  checkPolicyChanges,
  checkSandbox,
  isBrokered,
  isPreset,
  policyKey,
  restricted,
  sandboxOfMode,
} from '../../../lib/guard/sandbox/policy.js'

const nothing: CheckedPolicy = {
  writable: [],
  unreadable: [],
  protect: [],
  network: false,
  loopback: false,
  unixSockets: false,
  sharedMemory: false,
  hostCode: 'report',
}

const refusal = (message: string) =>
  expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message })

describe('checkSandbox', () => {
  test.each(['unrestricted', 'restricted', 'workspace'])('%s is a mode', (mode) => {
    expect(checkSandbox('sandbox', mode)).toBe(mode)
  })

  test('no mode is Unrestricted mode', () => {
    expect(checkSandbox('sandbox', undefined)).toBe('unrestricted')
  })

  test('a policy allows nothing that it does not name', () => {
    expect(checkSandbox('sandbox', {})).toEqual(nothing)
  })

  test('the default lists may be named alone, or beside others', () => {
    const policy = { unreadable: 'default', protect: ['default', '.env'] }

    expect(checkSandbox('sandbox', policy)).toEqual({
      ...nothing,
      unreadable: ['default'],
      protect: ['default', '.env'],
    })
  })

  test('that there is no network may be said', () => {
    expect(checkSandbox('sandbox', { network: false })).toEqual(nothing)
  })

  test('what a caller does with a policy later does not reach its copy', () => {
    const policy = { writable: ['/srv'] }
    const checked = checkSandbox('sandbox', policy)
    policy.writable.push('/etc')

    expect(checked).toMatchObject({ writable: ['/srv'] })
  })

  test('hosts are listed as the proxy has them, each once', () => {
    const policy = {
      network: { domains: ['Registry.Example', 'registry.example', '*.example.org', 'db.example:5432'] },
    }

    expect(checkSandbox('sandbox', policy)).toEqual({
      ...nothing,
      network: { domains: ['registry.example', '*.example.org', 'db.example:5432'] },
    })
  })

  test('an empty list of hosts is no network', () => {
    expect(checkSandbox('sandbox', { network: { domains: [] } })).toEqual(nothing)
  })

  test('sockets of the command itself are allowed by name', () => {
    expect(checkSandbox('sandbox', { loopback: true, unixSockets: true })).toEqual({
      ...nothing,
      loopback: true,
      unixSockets: true,
    })
  })

  const allowed =
    '(allowed: writable, unreadable, protect, network, loopback, unixSockets, sharedMemory, hostCode)'
  test.each<[unknown, string]>([
    ['strict', 'sandbox: must be one of unrestricted, restricted, workspace (got "strict")'],
    [null, 'sandbox: must be one of unrestricted, restricted, workspace (got null)'],
    [['/srv'], 'sandbox: must be one of unrestricted, restricted, workspace (got ["/srv"])'],
    [{ writeable: [] }, `sandbox.writeable: unknown field; did you mean writable? ${allowed}`],
    [{ allowWrite: [] }, `sandbox.allowWrite: unknown field; did you mean writable? ${allowed}`],
    [
      { allowLocalBinding: true },
      `sandbox.allowLocalBinding: unknown field; did you mean loopback? ${allowed}`,
    ],
    [
      { allowUnixSockets: [] },
      `sandbox.allowUnixSockets: unknown field; did you mean unixSockets? ${allowed}`,
    ],
    [
      { allowedDomains: [] },
      `sandbox.allowedDomains: unknown field; list hosts as network: { domains: […] } ${allowed}`,
    ],
    [
      { deniedDomains: [] },
      `sandbox.deniedDomains: unknown field; what network does not list is denied ${allowed}`,
    ],
    [
      { network: true },
      'sandbox.network: must be false, or { domains: […] } with the hosts that can be reached (got true)',
    ],
    [
      { network: ['registry.example'] },
      'sandbox.network: must be false, or { domains: […] } with the hosts that can be reached (got ["registry.example"])',
    ],
    [
      { network: { allowedDomains: [] } },
      'sandbox.network.allowedDomains: unknown field; did you mean domains? (allowed: domains)',
    ],
    [{ network: {} }, 'sandbox.network.domains: must be an array of names (got undefined)'],
    [
      { network: { domains: 'a.example' } },
      'sandbox.network.domains: must be an array of names (got "a.example")',
    ],
    [
      { network: { domains: ['a.example', 'https://b.example/'] } },
      'sandbox.network.domains[1]: must be a name or an address, with a port at most: no URL (got "https://b.example/")',
    ],
    [{ hostCode: 'deny' }, 'sandbox.hostCode: must be one of report, refuse (got "deny")'],
    [{ refuseHostCode: true }, `sandbox.refuseHostCode: unknown field; did you mean hostCode? ${allowed}`],
    [{ loopback: 'yes' }, 'sandbox.loopback: must be a boolean (got "yes")'],
    [{ unixSockets: [] }, 'sandbox.unixSockets: must be a boolean (got [])'],
    [{ writable: '/srv' }, 'sandbox.writable: must be an array of paths (got "/srv")'],
    [{ writable: 'default' }, 'sandbox.writable: must be an array of paths (got "default")'],
    [{ writable: [''] }, 'sandbox.writable[0]: must be a path without NUL and U+0001 (got "")'],
    [{ writable: ['/a', 1] }, 'sandbox.writable[1]: must be a path without NUL and U+0001 (got 1)'],
    [
      { writable: ['/a\0b'] },
      String.raw`sandbox.writable[0]: must be a path without NUL and U+0001 (got "/a\u0000b")`,
    ],
    [
      { unreadable: ['/a\x01b'] },
      String.raw`sandbox.unreadable[0]: must be a path without NUL and U+0001 (got "/a\u0001b")`,
    ],
    [{ writable: Array(17).fill('/srv') }, 'sandbox.writable: must have at most 16 entries (got 17)'],
    [{ unreadable: Array(257).fill('/a') }, 'sandbox.unreadable: must have at most 256 entries (got 257)'],
    [{ protect: Array(129).fill('a') }, 'sandbox.protect: must have at most 128 entries (got 129)'],
    [{ unreadable: true }, "sandbox.unreadable: must be 'default' or an array of paths (got true)"],
    [
      { protect: ['/etc/passwd'] },
      'sandbox.protect[0]: must be a path within the writable directories (got "/etc/passwd")',
    ],
    [
      { protect: ['a/../../b'] },
      'sandbox.protect[0]: must be a path within the writable directories (got "a/../../b")',
    ],
    [
      { unreadable: ['/home/*/.ssh'] },
      'sandbox.unreadable[0]: must have * in its last component only (got "/home/*/.ssh")',
    ],
    [
      { protect: ['*/'.repeat(9)] },
      'sandbox.protect[0]: must have * at most 8 times (got "*/*/*/*/*/*/*/*/*/")',
    ],
    [{ protect: ['~/a'] }, 'sandbox.protect[0]: must be a path within the writable directories (got "~/a")'],
    [{ sharedMemory: 1 }, 'sandbox.sharedMemory: must be a boolean (got 1)'],
  ])('%j is refused', (policy, message) => {
    expect(() => checkSandbox('sandbox', policy)).toThrow(refusal(message))
  })
})

describe('changes of Workspace mode', () => {
  test('without any, its directory is where the command runs, and the lists are the default ones', () => {
    expect(sandboxOfMode('workspace')).toEqual({
      name: 'workspace',
      policy: {
        ...nothing,
        writable: ['.'],
        unreadable: ['default'],
        protect: ['default'],
        loopback: true,
        unixSockets: true,
      },
    })
  })

  test('what is given takes the place of what the mode has', () => {
    const changes = checkPolicyChanges('workspace', { writable: ['.', '/srv'], sharedMemory: true })

    expect(sandboxOfMode('workspace', changes).policy).toEqual({
      ...sandboxOfMode('workspace').policy,
      writable: ['.', '/srv'],
      unreadable: ['default'],
      protect: ['default'],
      sharedMemory: true,
    })
  })

  test('a field that is undefined changes nothing', () => {
    const changes = checkPolicyChanges('workspace', { writable: undefined, protect: undefined })

    expect(sandboxOfMode('workspace', changes)).toEqual(sandboxOfMode('workspace'))
  })
})

describe('what tells policies apart', () => {
  const keyOf = (policy: object) => policyKey({ ...nothing, ...policy })

  test('those that say the same are the same', () => {
    expect(keyOf({ writable: ['/a'] })).toBe(keyOf({ writable: ['/a'] }))
  })

  test.each([
    { writable: ['/a'] },
    { unreadable: ['/a'] },
    { protect: ['a'] },
    { network: { domains: ['a.example'] } },
    { loopback: true },
    { unixSockets: true },
    { sharedMemory: true },
  ])('%j is another than none', (policy) => {
    expect(keyOf(policy)).not.toBe(keyOf({}))
  })

  test('a list of two is not a list of one', () => {
    expect(keyOf({ writable: ['/a', '/b'] })).not.toBe(keyOf({ writable: ['/a,/b'] }))
  })

  test('the policies of modes are known, and changed ones are not', () => {
    expect(isPreset(restricted.policy)).toBe(true)
    expect(isPreset(sandboxOfMode('workspace').policy)).toBe(true)
    expect(isPreset(sandboxOfMode('workspace', {}).policy)).toBe(false)
  })
})

describe('what needs a broker', () => {
  test.each([
    { writable: ['/a'] },
    { network: { domains: ['a.example'] } },
    { loopback: true },
    { unixSockets: true },
  ])('%j', (policy) => {
    expect(isBrokered({ ...nothing, ...policy })).toBe(true)
  })

  test.each([{}, { unreadable: ['/a'] }, { sharedMemory: true }])('not %j', (policy) => {
    expect(isBrokered({ ...nothing, ...policy })).toBe(false)
  })
})
