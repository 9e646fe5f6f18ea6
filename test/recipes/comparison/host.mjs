// One act with one contender: `node host.mjs CONTENDER ACT MARKER DIRECTORY`, which prints `true` or `false`.

import { confining, running, working } from './acts.mjs'
import { contenders } from './contenders.mjs'

const [, , contender, act, marker, directory] = process.argv
const contend = contenders[contender]
const run = (command, timeoutMs = 20_000) => contend(command, { cwd: directory, timeoutMs })

// The command of this act outlives nothing: whether it does is looked at from outside.
if (act === 'host killed') await run(`sleep ${marker}; true`)
else console.log(await { ...running, ...confining, ...working }[act]({ marker, directory, run }))
process.exit()
