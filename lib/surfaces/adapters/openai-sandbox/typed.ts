// What a model writes to a terminal: characters, as they would come from a keyboard. Text and keys go there by different
// ways, because text must not press keys.

import type { Typing } from '../../../tools/tty/typing.js'

const pieces =
  /(?<text>[^\0-\x08\n-\x1f\x7f-\x9f]*\n|[^\0-\x08\n-\x1f\x7f-\x9f]+)|(?<sequence>\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[!-~])?)|(?<control>[\0-\x1f\x7f-\x9f])/gu

/**
 * Lines end as Enter ends them, however the model has written that, and come one by one: several at once would be a paste. An
 * escape sequence stays in one piece: a program tells it from the Escape key by its time.
 */
export function typedPieces(chars: string): Typing[] {
  return [...chars.replace(/\r\n?/g, '\n').matchAll(pieces)].map(({ groups = {} }): Typing => {
    const { text = '', sequence, control } = groups
    if (sequence !== undefined) return pressed('Escape', ...sequence.slice(1))
    if (control !== undefined) return pressed(nameOf(control))
    const submit = text.endsWith('\n')
    return { text: submit ? text.slice(0, -1) : text, submit, keys: [] }
  })
}

const pressed = (...keys: string[]): Typing => ({ text: '', submit: false, keys })

/** C1 controls have none: that is for the terminal to say. */
function nameOf(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x7f) return 'BSpace'
  return code < 0x20 ? `C-${String.fromCharCode(code + 0x40)}` : control
}
