// The two descriptors of a session's shell lie below the limit on open files, however low it is.
import { killHosts, runHost } from '../../support/host.js'

afterEach(killHosts)

interface Result {
  status: string
  output: string
  error?: { code: string }
  sessionUnsaved?: string
}

const commands = ['cd /usr; x=kept; f() { echo "$x in $PWD"; }', 'f']

const callsUnder = (limit: number): Promise<Result[]> =>
  runHost<Result[]>('session-calls', {
    argument: { commands },
    prefix: ['bash', '-c', `ulimit -n ${limit}; exec "$0" "$@"`],
  })

test.each([40, 64, 201, 204, 205])('a host that may open %i files keeps a session', async (limit) => {
  expect(await callsUnder(limit)).toEqual([
    { status: 'completed', output: '' },
    { status: 'completed', output: 'kept in /usr\n' },
  ])
})

test('a host that may open too few says so of each call', async () => {
  const refused = { status: 'error', error: expect.objectContaining({ code: 'ERR_SPAWN' }) }
  expect(await callsUnder(22)).toMatchObject([refused, refused])
})
