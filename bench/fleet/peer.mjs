// A worker of peers.mjs: takes a command, runs it with the bash tool, and answers with the result.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createBashTool } from 'bashward'
import { natsConnection } from './peers.mjs'

const [kind, port] = process.argv.slice(2)
const tool = createBashTool()
const answer = async (request) =>
  JSON.stringify(await tool.execute({ command: JSON.parse(request).command }, { workingDir: '/tmp' }))

if (kind === 'http') {
  const server = createServer(async (request, response) => response.end(await answer(await text(request))))
  server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
} else {
  const connection = natsConnection(Number(port))
  connection.onMessage = async (_, body, reply) => connection.publish(reply, await answer(body))
  connection.subscribe('exec')
  console.log('ready')
}
