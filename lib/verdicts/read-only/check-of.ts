// The check of a program, by its name.

import { type Check, notKnown } from '../objection.js'
import { fits } from '../option-form.js'
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

const readsAlways: Check = () => null

const notInTable: Check = (_args, _judging, program) => {
  if (reachesHosts.has(program)) return notKnown('reaches a network', 'network')
  if (changesFiles.has(program)) return notKnown('changes files or processes', 'writes')
  return notKnown('is not known to only read', 'executes')
}
