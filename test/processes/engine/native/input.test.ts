// What the addon tells of descriptors, and the pipes it makes.
import { once } from 'node:events'
import { closeSync, readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { currentEngine } from '../../../../lib/processes/engine/choose.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'

afterAll(removeTempDirs)

const descriptorOf = (from: Server | Socket): number =>
  (from as unknown as { _handle: { fd: number } })._handle.fd

const { isReadable, makePipe } = currentEngine()

/** A server, and both ends of a connection that it does not read from. */
const connection = async () => {
  const path = join(tempDir(), 'socket')
  const server = createServer({ pauseOnConnect: true }).listen(path)
  await once(server, 'listening')
  const client = connect(path)
  const [[accepted]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    Socket[],
    [],
  ]
  const close = () => {
    for (const each of [client, accepted]) each?.destroy()
    server.close()
  }
  return { path, server, client, descriptor: descriptorOf(accepted as Socket), close }
}

describe('whether a socket can be read', () => {
  test('not when nobody has written', async () => {
    const { descriptor, close } = await connection()

    expect(isReadable(descriptor)).toBe(false)
    close()
  })

  test.each([
    ['bytes', (client: Socket) => client.write('x')],
    ['its end', (client: Socket) => client.end()],
  ])('when there is %s', async (what, act) => {
    const { client, descriptor, close } = await connection()
    act(client)

    await waitFor(() => isReadable(descriptor), { what })
    close()
  })

  test('not one that listens, with somebody who connects', async () => {
    const { path, server, close } = await connection()
    const descriptor = descriptorOf(server)
    const other = connect(path)
    // It has connected as far as the kernel is concerned; this program has not been told yet.
    const answer = isReadable(descriptor)
    await once(other, 'connect')
    other.destroy()

    expect(answer).toBe(false)
    close()
  })

  test('not what is no descriptor', () => {
    expect(isReadable(1_000_000)).toBe(false)
  })
})

test('no program inherits the ends of a pipe', () => {
  const pipe = makePipe()
  if (pipe === undefined || 'errno' in pipe) throw new Error('there is no pipe')
  const ends = [pipe.reader, pipe.writer]
  const flags = ends.map(
    (fd) => /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1],
  )
  for (const fd of ends) closeSync(fd)

  expect(flags).toEqual(['02000000', '02000001'])
})
