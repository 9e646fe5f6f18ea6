// One command with a lot of output in a host process of its own, whose memory nothing else has touched.

import { withHost } from './host-client.mjs'

/** @param {{ contender: string, command: string, bytes: number, end?: string, cwd: string }} request */
export function streamOnce(request) {
  return withHost(async (host) => {
    const { contender, cwd } = request
    // What a contender loads for its first command must not count as the cost of output.
    await host.call('stream', { contender, cwd, command: 'echo warm', bytes: 5, end: 'warm' })
    return host.call('stream', request)
  })
}
