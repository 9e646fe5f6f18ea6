// What the server takes at most: of connections, streams, calls, sessions, and unsent bytes.
import { writeFileSync } from 'node:fs'
import { uniqueSleep, waitForSleep, waitUntilGone } from '../../../support/processes.js'
import { waitFor } from '../../../support/wait-for.js'
import { callText, open2025, port, ran, runs, server, start, stop, token } from './one-server.js'
import {
  bashCall,
  headersOf,
  modern,
  modernHeaders,
  openWire,
  requestText,
  statusOf,
  type Wire,
} from './raw.js'

afterEach(stop)

describe('numbers', () => {
  test('of connections without a token the oldest goes', async () => {
    await start({ limits: { strangers: 4, strangerMs: 50 } })
    const wires: Wire[] = []
    for (let count = 0; count < 6; count += 1) {
      const wire = openWire(port)
      await waitFor(() => !wire.socket.connecting, { what: 'a connection' })
      wires.push(wire)
    }
    await waitFor(() => wires.filter((wire) => wire.isClosed()).length === 2, { what: 'two to be closed' })

    expect(wires.map((wire) => wire.isClosed())).toEqual([true, true, false, false, false, false])
  })

  test('there is a place for another one, however many of those there are', async () => {
    await start({ limits: { connections: 128, strangerMs: 600_000 } })
    const wires: Wire[] = []
    for (let count = 0; count < 127; count += 1) {
      wires.push(openWire(port))
      await waitFor(() => wires.at(-1)?.socket.connecting === false, { what: 'a connection' })
    }
    const late = openWire(port)
    late.send(callText())
    await late.until('isError')

    expect(wires.map((wire) => wire.isClosed()).indexOf(false)).toBe(2)
  })

  test('they keep nobody out who has one', async () => {
    await start({ limits: { strangers: 4 } })
    const known = openWire(port)
    known.send(callText())
    await known.until('isError')
    for (let count = 0; count < 20; count += 1) openWire(port)
    const late = openWire(port)
    late.send(callText())
    await late.until('isError')
    known.send(callText())
    await known.until(/isError[\s\S]*isError/)

    expect(runs()).toBe(3)
  })

  test('there are no more connections than that', async () => {
    await start({ limits: { connections: 3 } })
    const known: Wire[] = []
    for (let count = 0; count < 3; count += 1) {
      const wire = openWire(port)
      wire.send(callText())
      await wire.until('isError')
      known.push(wire)
    }

    expect(await openWire(port).closed()).toBe('')
    known[0]?.socket.destroy()
    await waitFor(
      async () => {
        const wire = openWire(port)
        wire.send(callText())
        return await wire.until('isError').catch(() => undefined)
      },
      { what: 'another one to be let in' },
    )
  })

  test('500 clients come at once, and stay', async () => {
    await start()
    const list = modern(1, 'tools/list', {})
    const text = requestText('POST', { ...headersOf(port, token), ...modernHeaders('tools/list') }, list)
    const wires = Array.from({ length: 500 }, () => {
      const wire = openWire(port)
      wire.socket.on('connect', () => wire.send(text))
      return wire
    })
    await waitFor(() => wires.every((wire) => wire.text().includes('kill_bash')), {
      what: 'all of them to be answered',
      deadlineMs: 40_000,
    })
    const late = openWire(port)
    late.send(callText())
    await late.until('isError')

    expect(wires.filter((wire) => wire.isClosed())).toEqual([])
  })

  const getStream = (session: string, given = token) => {
    const wire = openWire(port)
    wire.send(
      requestText('GET', headersOf(port, given, { 'Content-Type': undefined, 'Mcp-Session-Id': session })),
    )
    return wire
  }

  test('streams of a token, whatever their sessions', async () => {
    await start({ limits: { streams: 2 } })
    const sessions = [await open2025(), await open2025(), await open2025()]
    const [first, second, third] = sessions.map((session) => getStream(session))
    const texts = await Promise.all([first, second, third].map(async (wire) => await wire?.until('\r\n\r\n')))

    expect(texts.map((text) => statusOf(text ?? ''))).toEqual([200, 200, 429])
    const [, other = ''] = server.tokens
    expect(statusOf(await getStream(await open2025(other), other).until('\r\n\r\n'))).toBe(200)
    first?.socket.destroy()
    await waitFor(async () => statusOf(await getStream(sessions[0] ?? '').until('\r\n\r\n')) === 200, {
      what: 'a stream to be free',
    })
  })

  test('one stream of notifications a session', async () => {
    await start()
    const session = await open2025()
    await getStream(session).until('\r\n\r\n')

    expect(statusOf(await getStream(session).until('\r\n\r\n'))).toBe(409)
  })

  test('bodies of a token that are not answered yet', async () => {
    await start({ limits: { bodyBytesInAll: 1000 } })
    const wire = openWire(port)
    wire.send(callText({}, `echo >> ${ran}; until [ -e ${ran}.go ]; do sleep .02; done #${'x'.repeat(500)}`))
    await waitFor(() => runs() === 1, { what: 'it to run' })
    const second = openWire(port)
    second.send(callText({}, `echo >> ${ran} #${'x'.repeat(500)}`))
    const answer = await second.until('\r\n\r\n')

    expect(statusOf(answer)).toBe(429)
    writeFileSync(`${ran}.go`, '')
    await wire.until('isError')
    await waitFor(
      async () => {
        const third = openWire(port)
        third.send(callText({}, `echo >> ${ran} #${'x'.repeat(500)}`))
        return statusOf(await third.until('\r\n\r\n')) === 200
      },
      { what: 'room for another' },
    )
    expect(runs()).toBe(2)
  })

  test('calls of a token', async () => {
    await start({ limits: { calls: 2 } })
    const wires = ['1', '2'].map((name) => {
      const wire = openWire(port)
      wire.send(callText({}, `echo >> ${ran}; until [ -e ${ran}.${name} ]; do sleep .02; done`))
      return wire
    })
    await waitFor(() => runs() === 2, { what: 'both to run' })
    const third = openWire(port)
    third.send(callText())

    expect(await third.until('"jsonrpc"')).toContain('2 calls of this token run already; nothing was started')
    for (const wire of wires) wire.socket.destroy()
    await waitFor(
      async () => {
        const wire = openWire(port)
        wire.send(callText({}, 'echo free'))
        return (await wire.until(/"jsonrpc"/)).includes('free')
      },
      { what: 'a call to be taken' },
    )
    expect(runs()).toBe(2)
  })

  test('sessions of a token: the longest unused one goes', async () => {
    await start({ limits: { sessions: 2 } })
    const sessions = [await open2025(), await open2025(), await open2025()]
    const statuses = await Promise.all(
      sessions.map(async (session) => {
        const wire = openWire(port)
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
        wire.send(requestText('POST', headersOf(port, token, { 'Mcp-Session-Id': session }), body))
        return statusOf(await wire.until('\r\n\r\n'))
      }),
    )

    expect(statuses).toEqual([404, 200, 200])
  })
})

describe('a client that reads', () => {
  test('gets more than a mebibyte that is made at once', async () => {
    await start()
    const session = await open2025()
    const messages = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const wire = openWire(port)
    const headers = { ...headersOf(port, token), 'Mcp-Session-Id': session, Connection: 'close' }
    wire.send(requestText('POST', headers, messages))
    const text = await wire.closed(30_000)

    expect(text.length).toBeGreaterThan(1024 * 1024)
    expect(text.match(/"tools":\[/g)).toHaveLength(100)
  })
})

describe('a client that does not read', () => {
  test('is cut when a mebibyte is unsent, and its command is killed', async () => {
    await start({ heartbeatMs: 5, limits: { unsentMs: 100 } })
    const before = process.memoryUsage().rss
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before)
    }, 20)
    const marker = uniqueSleep()
    for (let count = 0; count < 3; count += 1) {
      const wire = openWire(port)
      // Each sign of life is as long as what the client is told it by.
      const meta = { progressToken: 'x'.repeat(500_000) }
      const { headers, body } = bashCall(`sleep ${marker}`, meta)
      wire.send(requestText('POST', { ...headersOf(port, token), ...headers }, body))
      wire.socket.pause()
    }
    await waitForSleep(marker, 3)
    await waitUntilGone(marker, 30_000)
    clearInterval(timer)

    expect(most).toBeLessThan(300 * 1024 * 1024)
  })
})
