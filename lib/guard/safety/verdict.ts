// What the check of a command says.

/** A part of the command. Offsets are those of the JavaScript string: UTF-16 code units, `end` exclusive. */
export interface Match {
  start: number
  end: number
  text: string
}

/** `rule`, `match` and `message` are null when the command is allowed. */
export type Verdict =
  | { allowed: true; rule: null; match: null; message: null }
  | {
      allowed: false
      /** The name of the rule, such as `'git-push-force'`. */
      rule: string
      /** The offending text. */
      match: Match
      /** What was found, why it is refused, and a safer command to type instead. */
      message: string
    }
