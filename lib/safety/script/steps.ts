// Work on long texts in steps, so that whoever drives it can give way to the event loop, and parse where it likes.

/** A tree of the parser, see `lib/engine/native/syntax-tree.ts`; null: none within the deadline. */
export type ParseAnswer = Int32Array | null

/** Asks for a parse of a text, or (undefined) only offers to pause. */
export type Step = { parse: string } | undefined

/** Runs to `Result`; each `{parse}` is to be answered with the tree, a pause with nothing. */
export type Steps<Result> = Generator<Step, Result, ParseAnswer | undefined>
