// One server for each test of what it takes, and the texts of requests to it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endJobs } from '../../../support/jobs.js'
import { killLeftovers } from '../../../support/processes.js'
import { removeTempDirs, tempDir } from '../../../support/temp-dir.js'
import { bashCall, closeWires, headersOf, initialize, openWire, requestText, statusOf } from './raw.js'
import { startServer, stopServers, type TestServer, type TestServerOptions } from './servers.js'

/** Of the test that runs. */
export let server: TestServer
export let port: number
export let token: string
export let ran: string

export const start = async (options: TestServerOptions = {}) => {
  server = await startServer(options)
  port = server.port
  token = server.tokens[0] ?? ''
  ran = join(tempDir(), 'ran')
}

/** For `afterEach`. */
export const stop = async () => {
  closeWires()
  await stopServers()
  await endJobs()
  killLeftovers()
  removeTempDirs()
}

export const callText = (headers: Record<string, string | undefined> = {}, command = `echo >> ${ran}`) => {
  const { headers: own, body } = bashCall(command)
  return requestText('POST', { ...headersOf(port, token), ...own, ...headers }, body)
}

export const chunkedText = (headers: Record<string, string | undefined>) => {
  const { headers: own, body } = bashCall(`echo >> ${ran}`)
  const text = JSON.stringify(body)
  const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const all = { ...headersOf(port, token), ...own, 'Content-Length': undefined, ...headers }
  return requestText('POST', all, chunks)
}

export const runs = () => (existsSync(ran) ? readFileSync(ran, 'utf8').length : 0)

export const answered = async (text: string): Promise<number> => {
  const wire = openWire(port)
  wire.send(text)
  return statusOf(await wire.closed())
}

export const open2025 = async (given = token) => {
  const wire = openWire(port)
  wire.send(requestText('POST', headersOf(port, given), initialize()))
  const text = await wire.until(/"serverInfo"/)
  return /mcp-session-id: (\S+)/.exec(text)?.[1] ?? ''
}
