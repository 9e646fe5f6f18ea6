// What an examination may spend, so that a hostile command costs little more than a harmless one of its length.

/** Each is ample for a command that somebody means. Where one runs out, values count as not known. */
export interface Budget {
  /** Expansions of words that have several possible values. */
  expansions: number
  /** Characters of values and outputs that are put into other texts. */
  text: number
  /** Characters of scripts in scripts. */
  nestedText: number
  /** Words of commands that other commands run. */
  words: number
  /** Called where commands are left out. */
  onUnread?: (() => void) | undefined
}

/** @param length characters of the command */
export function newBudget(length: number, onUnread?: () => void): Budget {
  return {
    expansions: Math.min(2000 + 4 * length, 50_000),
    text: 2_000_000,
    nestedText: 20_000 + 2 * length,
    words: 20_000 + length,
    onUnread,
  }
}

/** The fixed cost of examining a script, in characters. */
export const nestedScriptCost = 16

/** The fixed cost of an element of an array, or of a word of an alias, in characters. */
export const elementCost = 32

/** Scripts in scripts in scripts … */
export const maxDepth = 16

/** `sudo nice timeout 5 env …` */
export const maxWrappers = 32
