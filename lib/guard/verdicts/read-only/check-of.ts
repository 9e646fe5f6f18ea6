// The check of a program, by its name.

import { type Check, notKnown } from '../objection.js'
import { fits } from '../option-form.js'
import { names } from './form.js'
import { changesFiles, reachesHosts } from './others.js'
import { programs } from './programs.js'

export function checkOf(program: string): Check {
  const form = programs.get(program)
  if (form === undefined) return notInTable
  if (form === 'any') return readsAlways
  if (typeof form === 'function') return form
  return (args) => {
    const fitting = fits(form, args)
    return typeof fitting === 'string' ? notKnown(fitting) : null
  }
}

/** Scripts of the systems that start others. */
const scripts = new Set(names('egrep fgrep which'))

/** Whether the program is in the table, and starts no other one: those with a check of their own may. */
export function startsNoOther(program: string): boolean {
  const form = programs.get(program)
  return form !== undefined && typeof form !== 'function' && !scripts.has(program)
}

const readsAlways: Check = () => null

const notInTable: Check = (_args, _judging, program) => {
  if (reachesHosts.has(program)) return notKnown('reaches a network', 'network')
  if (changesFiles.has(program)) return notKnown('changes files or processes', 'writes')
  return notKnown('is not known to only read', 'executes')
}
