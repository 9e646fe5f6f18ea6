// A connection to one of several addresses.
import { createServer, type Socket } from 'node:net'
import { dial } from '../../../lib/guard/proxy/dial.js'
import { closeProxies, listening } from '../../support/proxy.js'

afterEach(closeProxies)

const made: Socket[] = []

afterEach(() => {
  for (const socket of made.splice(0)) socket.destroy()
})

const options = (port: number, signal = new AbortController().signal) => ({
  port,
  timeoutMs: 10_000,
  signal,
  adopt: (socket: Socket) => made.push(socket) > 0,
})

const startServer = (host?: string) => listening(createServer(), host)

test('the next address is tried when one refuses', async () => {
  const port = await startServer('127.0.0.3')

  const socket = await dial(['127.0.0.2', '::1', '127.0.0.3', '127.0.0.4'], options(port))

  expect(socket.remoteAddress).toBe('127.0.0.3')
  expect(made).toHaveLength(3)
})

test('when all refuse, it is the error of the last', async () => {
  const port = await startServer('127.0.0.3')

  await expect(dial(['127.0.0.2', '127.0.0.4'], options(port))).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    address: '127.0.0.4',
  })
})

test('what is aborted before makes no socket', async () => {
  const port = await startServer()

  await expect(dial(['127.0.0.1'], options(port, AbortSignal.abort()))).rejects.toMatchObject({
    code: 'ABORT_ERR',
  })
  expect(made).toEqual([])
})

test('what is aborted meanwhile leaves none', async () => {
  const port = await startServer()
  const controller = new AbortController()
  const dialled = dial(['127.0.0.1'], options(port, controller.signal))

  controller.abort()

  await expect(dialled).rejects.toMatchObject({ code: 'ABORT_ERR' })
  expect(made.map((socket) => socket.destroyed)).toEqual([true])
})

test('a socket that is not wanted is not connected', async () => {
  const port = await startServer()
  const adopt = (socket: Socket) => {
    made.push(socket)
    return false
  }

  await expect(dial(['127.0.0.1'], { ...options(port), adopt })).rejects.toMatchObject({ code: 'TOO_MANY' })
  expect(made.map((socket) => socket.destroyed)).toEqual([true])
})

test('a socket that somebody destroys meanwhile is an error', async () => {
  const port = await startServer()
  const dialled = dial(['127.0.0.1'], options(port))

  made[0]?.destroy()

  await expect(dialled).rejects.toMatchObject({ code: 'ECONNRESET' })
})
