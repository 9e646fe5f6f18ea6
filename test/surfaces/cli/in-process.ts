// Runs the program `bashward` in the process of the test: how words are read, and what is printed, needs no other.
import { Readable, Writable } from 'node:stream'
import { main } from '../../../lib/surfaces/cli/main.js'
import {
  type Exit,
  type ProgramOptions,
  programEnvironment,
  runJob as runJobWith,
  startJob as startJobWith,
} from './program.js'

type Options = Pick<ProgramOptions, 'cwd' | 'env'> & {
  /** What stdin has, to its end. */
  input?: string | Buffer
}

const collector = () => {
  const pieces: Buffer[] = []
  const stream = new Writable({
    write: (piece: Buffer, _, taken) => {
      pieces.push(piece)
      taken()
    },
  })
  return { stream, text: () => Buffer.concat(pieces).toString() }
}

let isRunning = false

/** Gives the process another environment, directory and streams, and resolves with a function that takes them away. */
const disguise = ({ cwd = '/', env }: Options, streams: Record<string, unknown>) => {
  // They are those of the whole process.
  if (isRunning) throw new Error('one program at a time')
  isRunning = true
  const before = { cwd: process.cwd(), env: { ...process.env } }
  const streamsBefore = Object.keys(streams).map((name) => Object.getOwnPropertyDescriptor(process, name))
  const setEnvironment = (variables: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, variables)
  }
  setEnvironment(programEnvironment(env))
  process.chdir(cwd)
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true })
  }
  return () => {
    Object.keys(streams).forEach((name, index) => {
      Object.defineProperty(process, name, streamsBefore[index] as PropertyDescriptor)
    })
    process.chdir(before.cwd)
    setEnvironment(before.env)
    isRunning = false
  }
}

/** Runs `bashward` with these words to its end. */
export const bashward = async (args: string[], options: Options = {}): Promise<Exit> => {
  const [stdout, stderr] = [collector(), collector()]
  const stdin = Readable.from([Buffer.from(options.input ?? '')])
  const undo = disguise(options, { stdin, stdout: stdout.stream, stderr: stderr.stream })
  try {
    const code = await main(args)
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    undo()
  }
}

export const startJob = (command: string): Promise<string> => startJobWith(command, bashward)
export const runJob = (command: string): Promise<string> => runJobWith(command, bashward)
