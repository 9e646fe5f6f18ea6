// Which contexts a call accepts, and what is said about those that it does not.
import { resolve } from 'node:path'
import { resolveContext } from '../../lib/tools/context.js'
import type { ToolContext } from '../../lib/tools/types.js'

const resolveUntyped = (context: unknown) => resolveContext(context as ToolContext)

describe('resolveContext', () => {
  test('takes what the call needs', () => {
    const cancel = new AbortController().signal
    const onEvent = () => {}
    const given = { workingDir: '/tmp', cancel, onEvent, conversationId: 'a', toolCallId: 'b' }
    const resolved = resolveContext(given)

    // jest cannot compare an AbortSignal when another field differs.
    expect(resolved.cancel).toBe(cancel)
    expect(resolved.given).toBe(given)
    expect({ ...resolved, cancel: undefined, given: undefined }).toEqual({
      workingDir: '/tmp',
      sandbox: 'unrestricted',
      owner: { conversationId: 'a', toolCallId: 'b' },
      cancel: undefined,
      onEvent,
      isApproved: false,
    })
  })

  test('takes a relative working directory from that of the process', () => {
    expect(resolveContext({ workingDir: 'lib' }).workingDir).toBe(resolve('lib'))
  })

  test.each([
    ['context: must be an object (got undefined)', undefined],
    ['context: must be an object (got null)', null],
    ['context: must be an object (got "/tmp")', '/tmp'],
    ['context: must be an object (got [])', []],
    ['context.workingDir: must be the path of a directory (got undefined)', {}],
    ['context.workingDir: must be the path of a directory (got "")', { workingDir: '' }],
    ['context.workingDir: must be the path of a directory (got 7)', { workingDir: 7 }],
    ['context.cancel: must be an AbortSignal (got {})', { workingDir: '/', cancel: {} }],
    ['context.cancel: must be an AbortSignal (got {})', { workingDir: '/', cancel: new AbortController() }],
    ['context.cancel: must be an AbortSignal (got null)', { workingDir: '/', cancel: null }],
    ['context.onEvent: must be a function (got "log")', { workingDir: '/', onEvent: 'log' }],
    [
      'context.sandbox: must be one of unrestricted, restricted, workspace (got "strict")',
      { workingDir: '/', sandbox: 'strict' },
    ],
    ['context.conversationId: must be a string (got 7)', { workingDir: '/', conversationId: 7 }],
    ['context.toolCallId: must be a string (got null)', { workingDir: '/', toolCallId: null }],
  ])('refuses %s', (message, context) => {
    expect(() => resolveUntyped(context)).toThrow(
      expect.objectContaining({ name: 'BashError', code: 'ERR_INVALID_INPUT', message }),
    )
  })

  test('takes the mode of the conversation', () => {
    expect(resolveContext({ workingDir: '/', sandbox: 'restricted' }).sandbox).toBe('restricted')
  })
})
