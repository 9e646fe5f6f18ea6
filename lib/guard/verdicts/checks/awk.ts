// awk: programs without `system`, pipes, `getline`, and redirections of what is printed.

import type { Argument } from '../argument.js'
import { type Check, headOf, notKnown, textIn } from '../objection.js'
import { fits, type OptionForm } from '../option-form.js'
import { showArgument } from '../show.js'
import { awkReads } from './awk-program.js'

const form: OptionForm = { values: 'Fv', stops: true }

const network = '/inet'

/** gawk connects to a host where it opens some names (gawk manual, "Special Files for Network Communications"). */
function mayBeHost(file: Argument): boolean {
  if (file.kind === 'text') return file.text.includes(network)
  const head = headOf(file)
  return head.includes(network) || network.startsWith(head)
}

export const awk: Check = (args) => {
  const fitting = fits(form, args)
  if (typeof fitting === 'string') return notKnown(fitting)
  for (const { name, value } of fitting.options) {
    const assigned = value?.kind === 'prefix' ? value.head : textIn(value)
    if (name === 'v' && !/^[a-z]\w*=/i.test(assigned ?? ''))
      return notKnown('sets a variable that is not known')
  }
  const [first, ...files] = fitting.operands
  const program = textIn(first)
  if (program === undefined) return notKnown('has a program that is not known')
  const wrong = awkReads(program)
  if (wrong !== null) return notKnown(wrong)
  const host = files.find(mayBeHost)
  return host === undefined ? null : notKnown(`${showArgument(host)} may be a host for gawk`, 'network')
}
