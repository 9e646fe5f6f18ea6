// Temporal's protocol: the methods of its service, and parts of its messages.
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The packages are those of the worker's directory. */
const require = createRequire(join(process.cwd(), 'worker.js'))
export const grpc = require('@grpc/grpc-js')
const { temporal } = require('@temporalio/proto')
const messages = temporal.api.workflowservice.v1
export const enums = temporal.api.enums.v1

/** Of those that the service has. */
export const methodNames = Object.keys(messages)
  .filter((name) => name.endsWith('Request'))
  .map((name) => name.replace(/Request$/, ''))
  .filter((name) => messages[`${name}Response`] !== undefined)

export function methodOf(name) {
  return {
    path: `/temporal.api.workflowservice.v1.WorkflowService/${name}`,
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes) => messages[`${name}Request`].decode(bytes),
    responseSerialize: (message) => Buffer.from(messages[`${name}Response`].encode(message).finish()),
    requestSerialize: (bytes) => bytes,
    responseDeserialize: (bytes) => bytes,
  }
}

const failure = (code, message) => Object.assign(new Error(message), { code })
export const cut = () => failure(grpc.status.UNAVAILABLE, 'cut')
export const notFound = () => failure(grpc.status.NOT_FOUND, 'no such task')
export const unimplemented = (name) => failure(grpc.status.UNIMPLEMENTED, name)

export const milliseconds = (duration) =>
  Number(duration?.seconds ?? 0) * 1000 + Number(duration?.nanos ?? 0) / 1e6
export const timestamp = () => ({ seconds: Math.floor(Date.now() / 1000), nanos: (Date.now() % 1000) * 1e6 })

export const payloads = (value) => ({
  payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) }],
})
export const valueOfPayloads = ({ payloads: [payload] }) => JSON.parse(Buffer.from(payload.data))
