// Many clients that come at the same moment.
import { readFileSync } from 'node:fs'
import { cannotTest } from '../../../support/must-work.js'
import { removeTempDirs } from '../../../support/temp-dir.js'
import { waitFor } from '../../../support/wait-for.js'
import { killPrograms } from '../../cli/program.js'
import { closeWires, headersOf, modern, modernHeaders, openWire, requestText } from './raw.js'
import { newToken, startHttpProgram } from './servers.js'

afterEach(async () => {
  closeWires()
  await killPrograms()
  removeTempDirs()
})

const clients = 1000

test('whoever comes while the server is busy is connected at once, and soon answered or refused', async () => {
  const most = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  if (most < clients) return cannotTest(`net.core.somaxconn is ${most}`)
  const token = newToken()
  const server = await startHttpProgram([token])
  const headers = { ...headersOf(server.port, token), ...modernHeaders('tools/list') }
  process.kill(server.pid, 'SIGSTOP')
  const wires = Array.from({ length: clients }, (_, id) => {
    const wire = openWire(server.port)
    wire.send(requestText('POST', headers, modern(id, 'tools/list', {})))
    return wire
  })
  await waitFor(() => wires.every(({ socket }) => !socket.connecting), { what: 'all to be connected' })
  process.kill(server.pid, 'SIGCONT')
  const isOver = ({ isClosed, text }: (typeof wires)[number]) => isClosed() || text().includes('"tools"')
  await waitFor(() => wires.every(isOver), { what: 'all to hear of it', deadlineMs: 60_000 })

  expect(wires.filter(({ text }) => text().includes('"tools"')).length).toBeGreaterThan(100)
}, 90_000)
