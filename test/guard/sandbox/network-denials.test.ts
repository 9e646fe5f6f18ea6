// What a result tells of the network and of sockets, where a policy allows some of it.

import type { brokerOperations } from '../../../lib/guard/sandbox/denial-operations.js'
import type { ConfinedRun } from '../../../lib/guard/sandbox/denial-scope.js'
import type { DenialFields } from '../../../lib/guard/sandbox/findings.js'
import { denialFields } from '../../../lib/guard/sandbox/refusals.js'
import { readOnlyPlan } from '../../../lib/processes/engine/request.js'
import { report } from './broker-report.js'

type Given = Partial<Omit<ConfinedRun, 'plan'>> & { plan?: Partial<ConfinedRun['plan']> }

const refusals = (given: Given = {}): DenialFields =>
  denialFields({
    output: '',
    exitCode: 1,
    command: 'program',
    directory: '/ws',
    sandbox: 'workspace',
    report: undefined,
    ...given,
    plan: { ...readOnlyPlan, writable: ['/ws'], loopback: true, unixSockets: true, ...given.plan },
  })

const domains = ['registry.example', '*.example.org']
const onlyListed = 'only registry.example, *.example.org can be reached, by the proxy in $HTTPS_PROXY'
const ownServers =
  'of the servers on this machine, only those that the command itself has started can be reached'
const ownSockets =
  'of local sockets, only those that the command itself has made below writable directories can be reached'

describe('what the proxy has refused', () => {
  const refused = (target: string, given: Given = {}) =>
    refusals({ domains, report: report(['network', target]), ...given })

  test('is certain, and named with the host that would have to be listed', () => {
    expect(refused('api.example:443')).toEqual({
      denied: onlyListed,
      denials: [
        { operation: 'network', target: 'api.example:443', grant: { network: { domains: ['api.example'] } } },
      ],
    })
  })

  test('another port has to be listed with the host', () => {
    expect(refused('registry.example:8443').denials?.[0]?.grant).toEqual({
      network: { domains: ['registry.example:8443'] },
    })
  })

  test.each([
    ['registry.example:443', 'is listed'],
    ['127.0.0.1:443', 'is this machine'],
    ['[::1]:443', 'is this machine'],
    ['169.254.169.254:80', 'is a service of the cloud'],
    ['localhost:80', 'is this machine'],
    ['host:443', 'has no domain'],
    ['a..example:443', 'is no name'],
    [`${'a.'.repeat(130)}example:443`, 'is too long'],
  ])('%s has no grant: it %s', (target) => {
    expect(refused(target).denials?.[0]).toEqual({ operation: 'network', target })
  })

  test.each([
    ['10.0.0.1:443', '10.0.0.1'],
    ['10.0.0.1:8443', '10.0.0.1:8443'],
    ['[fd00::1]:443', '[fd00::1]'],
  ])('a private address such as %s would have to be listed itself', (target, entry) => {
    const { denied, denials } = refused(target)

    expect(denied).toBe(
      `${onlyListed}, and addresses that are private or reserved only if they are listed themselves`,
    )
    expect(denials).toEqual([{ operation: 'network', target, grant: { network: { domains: [entry] } } }])
  })

  test('what programs say of its answer adds nothing', () => {
    const output =
      'npm error 403 403 Forbidden: registry.example:443 is not allowed - GET https://registry.example/a\n'

    expect(refused('10.0.0.1:443', { output, command: 'npm ci' }).denials).toHaveLength(1)
  })

  test('is told of a success, too', () => {
    expect(refused('api.example:443', { exitCode: 0 }).denied).toBe(onlyListed)
  })

  test('a line about the same host adds nothing', () => {
    const output = 'curl: (6) Could not resolve host: api.example\n'

    expect(refused('api.example:443', { output }).denials).toHaveLength(1)
  })

  test('a long list is cut', () => {
    const many = Array.from({ length: 9 }, (_, index) => `${index}.example`)

    expect(refused('api.example:443', { domains: many }).denied).toBe(
      'only 0.example, 1.example, 2.example, 3.example, 4.example, 4 more can be reached, by the proxy in $HTTPS_PROXY',
    )
  })

  test('text of the command is escaped', () => {
    expect(refused('a\x1b[2J.example:443').denials?.[0]?.target).toBe('a\\x1b[2J.example:443')
  })

  test('is told where nothing can be written, too', () => {
    const { denials } = refused('api.example:443', { sandbox: 'custom', plan: { writable: [] } })

    expect(denials?.[0]?.target).toBe('api.example:443')
  })
})

describe('what the broker has refused', () => {
  const refused = (operation: (typeof brokerOperations)[number], target: string, given: Given = {}) =>
    refusals({ report: report([operation, target]), ...given })

  test.each(['127.0.0.1:5432', '[::1]:80', '[::ffff:127.0.0.1]:80', '0.0.0.0:80', '[::]:80'])(
    '%s is a service of somebody else',
    (target) => {
      expect(refused('connect', target)).toEqual({
        denied: ownServers,
        denials: [{ operation: 'connect', target }],
      })
    },
  )

  test('where servers are not allowed at all, the policy would have to allow them', () => {
    const { denied, denials } = refused('bind', '127.0.0.1:8080', {
      sandbox: 'custom',
      plan: { loopback: false },
    })

    expect(denied).toBe("TCP on localhost is blocked under this command's sandbox policy")
    expect(denials?.[0]?.grant).toEqual({ loopback: true })
  })

  test('an address elsewhere is the network', () => {
    expect(refused('connect', '192.0.2.1:443')).toEqual({
      denied: "network is blocked in Workspace mode, except for the command's own servers on localhost",
      denials: [{ operation: 'connect', target: '192.0.2.1:443' }],
    })
  })

  test('where hosts are listed, it is the proxy that leads there', () => {
    expect(refused('connect', '192.0.2.1:443', { domains }).denied).toBe(onlyListed)
  })

  test('a privileged port cannot be listened on', () => {
    expect(refused('bind', '0.0.0.0:80').denied).toBe(
      'servers can listen on free ports of localhost from 1024 on',
    )
  })

  test('a socket that the command has not made', () => {
    expect(refused('connect', 'unix:/run/docker.sock')).toEqual({
      denied: ownSockets,
      denials: [{ operation: 'connect', target: 'unix:/run/docker.sock' }],
    })
  })

  test('a socket that was to be made elsewhere', () => {
    expect(refused('bind', 'unix:/run/socket').denied).toBe('making sockets is allowed below /ws only')
    expect(refused('bind', 'unix:@name').denied).toBe(
      'local sockets without a path are blocked in Workspace mode',
    )
  })

  test('where local sockets are not allowed at all, the policy would have to allow them', () => {
    const given = { plan: { unixSockets: false } }

    expect(refused('bind', 'unix:/ws/socket', given).denials?.[0]?.grant).toEqual({ unixSockets: true })
    expect(refused('bind', 'unix:@name', given).denials?.[0]).not.toHaveProperty('grant')
  })

  test('a kind of sockets that there is not', () => {
    expect(refused('socket', 'raw').denied).toBe('sockets of this kind (raw) are blocked in Workspace mode')
  })

  test.each([
    ['connect', 'unix:/var/run/nscd/socket'],
    ['connect', 'unix:/run/systemd/userdb/io.systemd.Machine'],
    ['socket', 'udp'],
  ] as const)('%s %s, which libraries ask for unasked, is not told', (operation, target) => {
    expect(refused(operation, target)).toEqual({})
  })

  test('but where the command speaks of a refusal, it is', () => {
    const output = 'PermissionError: [Errno 1] Operation not permitted\n'

    expect(refused('socket', 'udp', { output, command: 'python3 x.py' }).denials?.[0]).toEqual({
      operation: 'socket',
      target: 'udp',
    })
  })
})

describe('what only the output tells', () => {
  const said = (output: string, given: Given = {}) => refusals({ output, command: 'curl x', ...given })

  test('a name that cannot be resolved could be listed', () => {
    expect(said('curl: (6) Could not resolve host: api.example\n', { domains })).toEqual({
      denied: onlyListed,
      denials: [
        {
          operation: 'network',
          target: 'api.example',
          grant: { network: { domains: ['api.example'] } },
          inferred: true,
        },
      ],
    })
  })

  test.each([
    ['npm error 403 403 Forbidden: api.example:443 is not allowed - GET https://api.example/foo', 'npm ci'],
    [
      'Proxy tunneling failed: Forbidden: api.example:443 is not allowedUnable to establish SSL connection.',
      'wget x',
    ],
    [
      "fatal: unable to access 'https://api.example/a/': CONNECT tunnel failed, response 403",
      'git clone https://api.example/a',
    ],
  ])('what the proxy answers is in the output of a job: %s', (line, command) => {
    expect(said(`${line}\n`, { domains, command }).denials).toEqual([
      {
        operation: 'network',
        target: expect.stringMatching(/^api\.example(?::443)?$/),
        grant: { network: { domains: ['api.example'] } },
        inferred: true,
      },
    ])
  })

  test('one that is listed needs the proxy, and nothing more', () => {
    expect(said('curl: (6) Could not resolve host: registry.example\n', { domains }).denials).toEqual([
      { operation: 'network', target: 'registry.example', inferred: true },
    ])
  })

  test('a program that could not connect and says nothing of it has met the sandbox', () => {
    expect(said('', { command: 'curl -s https://api.example', exitCode: 7 }).denials).toEqual([
      { operation: 'network', target: '', inferred: true },
    ])
  })

  test('unless it was to connect to a server of the command itself', () => {
    expect(said('', { command: 'curl -s localhost:3000', exitCode: 7 })).toEqual({})
  })

  test('what is known already is not told once more', () => {
    const { denials } = said('', {
      command: 'curl -s https://192.0.2.1',
      exitCode: 7,
      report: report(['connect', '192.0.2.1:443']),
    })

    expect(denials).toEqual([{ operation: 'connect', target: '192.0.2.1:443' }])
  })

  test('a server of the command itself that does not answer is no refusal', () => {
    const output =
      "curl: (7) Failed to connect to 127.0.0.1 port 3000 after 0 ms: Couldn't connect to server\n"

    expect(said(output)).toEqual({})
    expect(said(output, { plan: { loopback: false } }).denials?.[0]).toMatchObject({
      target: '127.0.0.1:3000',
      grant: { loopback: true },
    })
  })
})
