// find: expressions that only test and print. What `-exec` runs is judged, too.

import type { Argument } from '../argument.js'
import {
  type Check,
  headOf,
  isSeveral,
  type Judging,
  notKnown,
  type Objection,
  textIn,
} from '../objection.js'
import { names } from '../read-only/form.js'
import { show, showArgument } from '../show.js'
import { replacing } from './wrappers.js'

const alone = new Set(
  names(`
    -a -and -o -or -not ! ( ) , -print -print0 -ls -prune -quit -true -false -empty -executable -readable -writable -nouser
    -nogroup -depth -d -mount -xdev -daystart -follow -noleaf -nowarn -warn -ignore_readdir_race -H -L -P -O0 -O1 -O2 -O3
  `),
)

const withValue = new Set(
  names(`
    -name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -maxdepth -mindepth -size -mtime -atime -ctime
    -mmin -amin -cmin -newer -anewer -cnewer -newermt -newerct -newerat -perm -user -group -uid -gid -links -inum -samefile
    -fstype -lname -ilname -printf -regextype -used -context
  `),
)

export const find: Check = (args, judging) => {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] as Argument
    const head = headOf(argument)
    if (argument.kind === 'unknown') {
      return notKnown(`${showArgument(argument)} may be \`-delete\``)
    }
    const text = textIn(argument)
    if (text !== undefined && withValue.has(text)) {
      index++
      const value = args[index]
      if (value !== undefined && isSeveral(value))
        return notKnown(`the value of ${show(text)} may be several words`)
      continue
    }
    if (text === '-exec') {
      judging.noteRepeated()
      const end = endOfCommand(args, index + 1)
      if (typeof end !== 'number') return end
      const objection = runs(args, index + 1, end, judging)
      if (objection !== null) return objection
      index = end
      continue
    }
    if (text !== undefined && alone.has(text)) continue
    if (head.startsWith('-') || '!('.includes(head.charAt(0) || ' ')) return unknownExpression(argument, head)
  }
  return null
}

function unknownExpression(argument: Argument, head: string): Objection {
  if (/^-(?:exec|ok)/.test(head)) return notKnown(`${show(head)} runs programs`, 'executes')
  if (/^-(?:delete|fprint|fls)/.test(head)) return notKnown(`${show(head)} changes files`, 'writes')
  return notKnown(`${showArgument(argument)} is not known to only read`)
}

/** The place of its `;`, or of the `+` behind `{}`. To find of busybox any `+` is the end. */
function endOfCommand(args: readonly Argument[], start: number): number | Objection {
  for (let index = start; index < args.length; index++) {
    const argument = args[index] as Argument
    const text = textIn(argument)
    if (text === ';' || (text === '+' && textIn(args[index - 1]) === '{}')) return index
    if (argument.kind === 'unknown' || isSeveral(argument) || ['+', ';'].includes(headOf(argument))) {
      return notKnown(`${showArgument(argument)} may end the command of \`-exec\``)
    }
  }
  return notKnown('the command of `-exec` has no end')
}

/** Paths begin as the places do at which find begins. */
function runs(args: readonly Argument[], start: number, end: number, judging: Judging): Objection | null {
  const first = args.findIndex((argument) => /^[-(!,]/.test(headOf(argument)))
  const places = args.slice(0, first)
  const areSafe = places.every((place) => /^[\w./]/.test(headOf(place)))
  const found: Argument = areSafe
    ? { kind: 'prefix', head: './', several: false }
    : { kind: 'unknown', several: false }
  return replacing(args.slice(start, end), '{}', found, judging)
}
