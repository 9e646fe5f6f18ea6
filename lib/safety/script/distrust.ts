// What the tree says and what the text says do not agree.

/** Thrown where reading the tree ends; another reader is to be asked. */
export class Distrust extends Error {
  /** @param offset in the script, about */
  constructor(
    readonly reason: string,
    readonly offset: number,
  ) {
    super(`${reason} at ${offset}`)
  }
}
