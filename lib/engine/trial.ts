// A request that only tries something out: no command's output, time or processes matter.

import type { CommandRequest } from './call.js'

type Tried = Pick<CommandRequest, 'shell' | 'command' | 'directory'> & Partial<CommandRequest>

export function trialRequest(tried: Tried): CommandRequest {
  return {
    environment: Buffer.alloc(0),
    separateStreams: false,
    headBytes: 0,
    tailBytes: 0,
    timeoutMs: 10_000,
    graceMs: 0,
    killSurvivors: true,
    savePath: '',
    saveLimit: 0,
    background: false,
    job: undefined,
    session: undefined,
    limits: [],
    restricted: undefined,
    ...tried,
  }
}
