// What an examination may spend, so that a hostile command costs little more than a harmless one of its length.

/** Each is enough for any command that somebody means; where one is used up, things count as not known. */
export interface Budget {
  /** Expansions of words that have several possible values. */
  expansions: number
  /** Characters of values and outputs that are put into other texts. */
  text: number
  /** Characters of scripts in scripts. */
  nestedText: number
}

/** @param length characters of the command */
export function newBudget(length: number): Budget {
  return {
    expansions: Math.min(2000 + 4 * length, 50_000),
    text: 2_000_000,
    nestedText: 20_000 + 2 * length,
  }
}

/** What examining a script costs whatever its length, in characters. */
export const nestedScriptCost = 16

/** What an element of an array, or a word of an alias, costs besides its text, in characters. */
export const elementCost = 32

/** Scripts in scripts in scripts … */
export const maxDepth = 16

/** `sudo nice timeout 5 env …` */
export const maxWrappers = 32
