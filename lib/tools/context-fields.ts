// The fields of a context. One that is misspelt would be ignored, and a command run without what it asks for.

import { checkObject } from '../util/invalid-input.js'
import { type FieldHint, synonymHint } from '../util/unknown-field.js'
import { toolOptionNames } from './tool-options.js'
import type { ToolContext } from './types.js'

const names = [
  'workingDir',
  'cancel',
  'sandbox',
  'conversationId',
  'toolCallId',
  'session',
  'onEvent',
] as const satisfies readonly (keyof ToolContext)[]

type ContextField = (typeof names)[number]

const fieldMeant = synonymHint({
  workingDir: ['cwd', 'dir', 'directory', 'workdir', 'workingdirectory', 'currentdirectory'],
  cancel: ['signal', 'abort', 'abortsignal', 'cancelsignal', 'cancellation'],
  sandbox: ['sandboxmode', 'sandboxed', 'restricted', 'isolation'],
  conversationId: ['conversation', 'thread', 'threadid', 'chatid'],
  toolCallId: ['callid', 'toolcall', 'tooluseid'],
  session: ['bashsession'],
  onEvent: ['onoutput', 'ondata', 'listener'],
} satisfies Record<ContextField, readonly string[]>)

const toolOptions = [...toolOptionNames, 'timeoutMs']

const contextHint: FieldHint = (word) => {
  const option = toolOptions.find((name) => name.toLowerCase() === word)
  return fieldMeant(word) ?? (option && `${option} belongs in the options of the tool`)
}

/** For the options of tools: what of them belongs in the context. */
export const misplacedField: FieldHint = (word) => {
  const name = fieldMeant(word)
  return name === undefined ? undefined : `${name} belongs in the context of a call`
}

export type ContextFields = { [Name in ContextField]?: unknown }

/**
 * The fields that a context has, each read once; those that its class or prototype has count, too.
 *
 * @throws {BashError} ERR_INVALID_INPUT when `context` is no object, or has a field that is not known
 */
export function contextFields(context: unknown): ContextFields {
  return checkObject('context', context, names, contextHint)
}
