// The formats and sort keys that git takes. Some of their placeholders check signatures, which runs the program that the
// configuration names as gpg, or start git once more. So only those are allowed that are known to do neither.
//
// git does not always read on where a placeholder seems to end: where it does not know `%(trailers:…)`, it goes on behind `%(`,
// and behind `%<(9)%C(red)%%` it takes the second `%%` for the beginning of a placeholder. So whatever may begin one has to be
// harmless, wherever it stands.

import { textIn } from '../objection.js'
import type { FittingOption } from '../option-form.js'
import { names } from '../read-only/form.js'

/** Of commits: git 2.39 to 2.52 document these. Not `%G…` and `%(describe)`. */
const commitPlaceholder = new RegExp(
  [
    '%[-+ ]?(?:[HhTtPpdDSeNsfbBmn]',
    '[ac][nNeElLdDrtiIsh]',
    'g[dDnNeEs]',
    'x[0-9a-fA-F]{2}',
    String.raw`C(?:red|green|blue|reset|\([\w ,#-]*\))`,
    String.raw`w\([\d, ]*\)`,
    String.raw`(?:>>|><|[<>])\|?\( *-?\d+ *(?:, *[lm]?trunc *)?\)`,
    String.raw`\((?:trailers|decorate)(?::[^()]*)?\))`,
  ].join('|'),
  'y',
)

/** Behind it something stands that is looked at by itself, or nothing. */
const plainPercent = /%(?=%|$)/y

/** Of references. Not `signature` and `describe`. */
const referenceField =
  /^\*?(?:refname|object(?:type|size|name)?|deltabase|tree|parent|numparent|type|tag|(?:author|committer|tagger)(?:name|email|date)?|creator(?:date)?|subject|body|upstream|push|symref|flag|HEAD|worktreepath|ahead-behind|is-base|raw|trailers|contents(?!:signature)|color|align|if|then|else|end)(?::[^()]*)?$/

/** Of files, trees and objects. */
const objectField =
  /^(?:object(?:mode|type|name|size)|deltabase|rest|stage|path|eolinfo:(?:index|worktree)|eolattr)(?::(?:padded|disk))?$/

const builtInFormats = new Set(names('oneline short medium full fuller reference email mboxrd raw'))

/** Any other name may be one that the configuration gives to a format. */
const isCommitFormat = (text: string): boolean =>
  text === '' ||
  builtInFormats.has(text) ||
  ((/^t?format:/.test(text) || text.includes('%')) && beginsAllWith(text, [commitPlaceholder, plainPercent]))

function beginsAllWith(text: string, known: readonly RegExp[]): boolean {
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at + 1)) {
    const isKnown = known.some((pattern) => {
      pattern.lastIndex = at
      return pattern.test(text)
    })
    if (!isKnown) return false
  }
  return true
}

const isGroup = (text: string): boolean =>
  text === 'author' || text === 'committer' || text.startsWith('trailer:') || isCommitFormat(text)

const hasFields =
  (field: RegExp) =>
  (text: string): boolean =>
    text
      .split('%(')
      .slice(1)
      .every((rest) => rest.includes(')') && field.test(rest.slice(0, rest.indexOf(')'))))

const isReferenceFormat = hasFields(referenceField)
const isObjectFormat = hasFields(objectField)
const isSortKey = (text: string): boolean => referenceField.test(text.replace(/^-?(?:v(?:ersion)?:)?/, ''))

const ofReferences = new Set(names('branch for-each-ref tag'))
const ofObjects = new Set(names('cat-file ls-files ls-tree'))

/** Whether the option is no format and no sort key, or one that is known to start no program. */
export function isPlainOption(command: string, { name, value }: FittingOption): boolean {
  const isPlain = checkOfOption(command, name)
  if (isPlain === undefined || value === undefined) return true
  const text = textIn(value)
  return text !== undefined && isPlain(text)
}

function checkOfOption(command: string, option: string): ((text: string) => boolean) | undefined {
  switch (option) {
    case 'pretty':
      return isCommitFormat
    case 'format':
      if (ofReferences.has(command)) return isReferenceFormat
      return ofObjects.has(command) ? isObjectFormat : isCommitFormat
    case 'batch':
    case 'batch-check':
      return isObjectFormat
    case 'group':
      return isGroup
    case 'sort':
      return isSortKey
    default:
      return undefined
  }
}
