// The requests of the Tasks extension, for clients that declare it with each of them.

import {
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { preview } from '../../base/util/schema/preview.js'
import { requestCapabilities } from './client-capabilities.js'
import type { Tasks } from './tasks.js'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

interface Params {
  taskId: string
}

/** A Standard Schema (https://standardschema.dev), as the library wants one. */
interface ParamsSchema {
  '~standard': {
    version: 1
    vendor: string
    validate(value: unknown): { value: Params } | { issues: { message: string }[] }
    types?: { input: Params; output: Params }
  }
}

/** Other fields are those of all requests. */
const params: ParamsSchema = {
  '~standard': {
    version: 1,
    vendor: 'bashward',
    validate(value) {
      const { taskId } = value as { taskId?: unknown }
      if (typeof taskId === 'string') return { value: { taskId } }
      return { issues: [{ message: `taskId: must be a string, got ${preview(taskId)}` }] }
    },
  },
}

/** Whether a client can be given a task in place of an answer. */
export function knowsTasks(context: ServerContext): boolean {
  const { extensions = {} } = requestCapabilities(context) ?? {}
  return Object.hasOwn(extensions, tasksExtension)
}

/** @param tasks made for the first request that needs them */
export function handleTaskRequests(server: Server, tasks: () => Tasks): void {
  const handle = (method: 'get' | 'update' | 'cancel') => {
    server.setRequestHandler(`tasks/${method}`, { params }, async ({ taskId }, context) => {
      if (!knowsTasks(context)) {
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [tasksExtension]: {} } },
        })
      }
      return { ...(await tasks()[method](taskId)) }
    })
  }
  handle('get')
  handle('update')
  handle('cancel')
}
