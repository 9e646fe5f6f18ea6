// A model that follows a script: an HTTP server on loopback, for clients of four protocols.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { protocols } from './protocols/protocols.mjs'

/** Of a request: more than clients send, with all that they have been told. */
const maxBodyBytes = 64 * 1024 * 1024

/** How often a client may be asked to search for tools that it does not show at once. */
const maxSearches = 5

/**
 * @typedef {object} Shown what a client has made of a result
 * @property {string} text
 * @property {boolean | undefined} isError whether it is marked as failed; undefined where the protocol cannot tell
 * @property {number} afterMs from the call to the request that has its result
 */

/**
 * @typedef {object} Record_
 * @property {string} [protocol] the protocol of the client
 * @property {{ name: string, namespace?: string }[]} tools what the client shows its model
 * @property {Shown[]} shown the results, in the order of the calls
 * @property {string} [missing] the tool that was to be called, and was not there
 * @property {boolean} searched whether the tools had to be searched for
 */

/**
 * @param {(shown: Shown[]) => { tool: string, input: object } | undefined} next the next call of one of our tools, given
 *   what came of those before; undefined: no more, and the model ends its turn
 */
export async function startModelServer(next) {
  /** @type {Record_} */
  const record = { tools: [], shown: [], searched: false }
  const calls = []
  const calledAt = []

  const answerTo = (protocol, body) => {
    const tools = protocol.toolsOf(body)
    const results = protocol.resultsOf(body)
    const isOurs = tools.some((tool) => ownNameOf(tool) === 'bash' || tool.runsPrograms)
    // Without our tools it is about a title, a summary or the like, or the client is still connecting to the server.
    if (!isOurs) return searchFor(tools, results) ?? { text: 'ok' }
    record.tools = tools
    for (const result of results.filter(({ id }) => id === `call_${record.shown.length}`)) {
      record.shown.push({ ...result, afterMs: Date.now() - calledAt[record.shown.length] })
    }
    // The same request once more has the same answer.
    const step = results.filter(({ id }) => /^call_\d+$/.test(id)).length
    if (calls[step] === undefined) {
      const wanted = next(record.shown)
      if (wanted === undefined) return { text: 'done' }
      const tool = tools.find((each) => ownNameOf(each) === wanted.tool || each.runsPrograms)
      if (tool === undefined) {
        record.missing = wanted.tool
        return { text: 'done' }
      }
      calls[step] = { ...tool, id: `call_${step}`, input: wanted.input }
      if (tool.runsPrograms) calls[step].program = programOf(wanted)
      calledAt[step] = Date.now()
    }
    return { call: calls[step] }
  }

  const searchFor = (tools, results) => {
    const tool = tools.find(({ name }) => /^tool_?search$/i.test(name))
    if (tool === undefined || results.length >= maxSearches) return undefined
    record.searched = true
    return {
      call: { ...tool, id: `search_${results.length}`, input: { query: 'bashward', max_results: 20 } },
    }
  }

  const serve = async (request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', 'http://localhost')
    const text = await read(request)
    const found = Object.entries(protocols).find(([, { matches }]) => matches(path))
    if (request.method !== 'POST' || found === undefined) return sendOther(response, path)
    const [name, protocol] = found
    const body = JSON.parse(text)
    if (protocol.toolsOf(body).length > 0) record.protocol = name
    const whole = protocol.answer(answerTo(protocol, body), body)
    if (!protocol.isStreamed({ path, body })) return sendJson(response, whole)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const { event, data } of protocol.events(whole)) {
      if (event !== undefined) response.write(`event: ${event}\n`)
      response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
    }
    response.end()
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  return {
    url: `http://127.0.0.1:${port}`,
    record,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Prints what a tool gives: the shortest program of a model. */
const programOf = ({ tool, input }) => `text(await tools.mcp__bashward__${tool}(${JSON.stringify(input)}))`

/** Which of our tools it is: clients put the name of the server in front, as in `mcp__bashward__bash`. */
export const ownNameOf = ({ name, namespace = '' }) =>
  /bashward[^a-z]+(bash|bash_output|kill_bash)$/.exec(`${namespace}__${name}`)?.[1]

async function read(request) {
  const pieces = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes > maxBodyBytes) throw new Error(`a request of more than ${maxBodyBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const sendJson = (response, value, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** What clients look up besides. */
function sendOther(response, path) {
  if (/countTokens$/.test(path)) return sendJson(response, { totalTokens: 1 })
  if (/count_tokens$/.test(path)) return sendJson(response, { input_tokens: 1 })
  if (/\/models$/.test(path)) return sendJson(response, { object: 'list', data: [], models: [] })
  return sendJson(response, { error: { type: 'not_found_error', message: 'not here' } }, 404)
}
