// What speaks against the assignments before a command.

import type { Assignment } from '../safety/script/script.js'
import { notKnown, type Objection } from './objection.js'
import { show } from './show.js'
import { isHarmlessSetting } from './variables.js'
import { textOf } from './words.js'

/** @param reads whether the command is `read`, for which IFS may be set */
export function assignmentChanges(assignment: Assignment, text: string, reads: boolean): Objection | null {
  const { name, value, append, start, end } = assignment
  if (
    !isHarmlessSetting(name, value === null || append ? undefined : textOf(value)) &&
    !(name === 'IFS' && reads)
  )
    return notKnown(`sets ${show(name)}`, 'executes')
  const source = text.slice(start, end).replaceAll('\\\n', '')
  // Of an element of an array, too: `x=([a[0]]=1)`.
  const isEvaluated = /^\w+\[(?!\d+\])/.test(source) || /[\s(]\[(?!\d+\]\+?=)/.test(source)
  return isEvaluated ? notKnown('evaluates the subscript of an array', 'executes') : null
}
