// What the process that looks (look/main.ts) tells its host, in JSON. Whatever a command has chosen is apart from the words
// about it: the host redacts, escapes and cuts it.

import type { WaitingKind } from './waiting-for.js'

/** Words, or what a command has chosen; `command` is a command line, which is named by its beginning. */
export type Piece = string | { command: string } | { path: string }

export interface Finding {
  pid: number
  /** Its arguments with spaces between them. */
  command: string
  kind: WaitingKind
  text: Piece[]
  peer?: { pid: number; command: string }
}

/** The processes below one root. What looks prints a line of these for each look; the last one counts. */
export interface Found {
  /** When, milliseconds since the epoch. */
  at: number
  /** The root's own children, or itself where it is a shell: the shell of the command is among them. */
  shells: number[]
  /** What explains most first. */
  findings: Finding[]
}

/** Of a job: its supervisor, by its start time too, and its shell. */
export interface JobProcesses {
  pid: number
  startTime: number
  shell: number
}

/** What to look at. */
export interface LookOrder {
  /** A host whose commands are looked at; 0 for none. */
  host: number
  /** How long ago those of its commands have started that are asked for, milliseconds: they are looked at first. */
  ages: number[]
  /** Jobs. */
  roots: JobProcesses[]
  /** When to look, and when that has to be done: milliseconds since the epoch. */
  lookAt: number
  deadline: number
  /** For tests: as if the kernel let nobody trace others. */
  untraced?: boolean
}

/** Of a command line and of a path, characters that are passed on: enough for what is hidden in them to be found. */
export const maxPieceLength = 4096
