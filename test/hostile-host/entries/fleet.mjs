// `bashward/fleet`: a client, whose commands run on a worker that is started beside it.
import { createFleet } from 'bashward/fleet'

export const entries = {
  'bashward/fleet: createFleet; Fleet: tool suite attach output release workers close': async ({
    fleet: options,
    works,
    attempt,
  }) => {
    const fleet = await works('createFleet', () => createFleet(options))
    const context = { conversationId: 'c', toolCallId: 'one' }
    const { bash, bashOutput, killBash } = fleet.suite()
    await works('workers', () => fleet.workers())
    await works('tool', () => fleet.tool().execute({ command: 'cat environ; echo done' }, context))
    await works('attach', () => fleet.attach('c', 'one'))
    const { jobId } = await works('suite', () =>
      bash.execute(
        { command: 'echo done; /bin/sleep 20', run_in_background: true },
        { ...context, toolCallId: 'two' },
      ),
    )
    await works('bashOutput', () =>
      bashOutput.execute({ bash_id: jobId }, { ...context, toolCallId: 'three' }),
    )
    await attempt('output', () => fleet.output('c', jobId))
    await works('killBash', () => killBash.execute({ bash_id: jobId }, { ...context, toolCallId: 'four' }))
    await works('release', () => fleet.release('c'))
    await works('close', () => fleet.close())
  },
}
