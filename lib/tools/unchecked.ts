// Reading an input and a context that have not been checked: they may be anything, and reading them may throw.

import type { BashEvent, SandboxMode } from '../run/result.js'

/** The command of an input as far as there is one; reading it may throw. */
export function commandOf(input: unknown): string {
  try {
    const { command } = input as { command?: unknown }
    return typeof command === 'string' ? command : ''
  } catch {
    return ''
  }
}

type Listener<Result> = (event: BashEvent<Result>) => void

/** The listener of a context that may be unusable otherwise: what became of the call is told all the same. */
export function listenerOf<Result>(context: unknown): Listener<Result> | undefined {
  try {
    const { onEvent } = context as { onEvent?: unknown }
    return typeof onEvent === 'function' ? (onEvent as Listener<Result>) : undefined
  } catch {
    return undefined
  }
}

/** The mode that a context asks for. */
export function sandboxOf(context: unknown): SandboxMode {
  return readText(context, 'sandbox') === 'restricted' ? 'restricted' : 'unrestricted'
}

type ContextField = 'conversationId' | 'toolCallId' | 'workingDir' | 'sandbox'

/** A field of a context, where it can be used. */
export function textOf<Name extends ContextField>(context: unknown, name: Name): { [Key in Name]?: string } {
  const value = readText(context, name)
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: string }
}

/** The context has not been checked yet, and reading it may throw. */
function readText(context: unknown, name: ContextField): string | undefined {
  try {
    const value = (context as Partial<Record<ContextField, unknown>> | null | undefined)?.[name]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
