// A probe that could not run says nothing about the kernel, and its result is not kept.
import { constants } from 'node:os'
import { probeSandbox } from '../../../lib/guard/sandbox/probe.js'
import { provenEngine } from '../../../lib/processes/engine/choose.js'
import { type Completion, Outcome } from '../../../lib/processes/engine/completion.js'
import { completion } from '../../commands/run/completions.js'

const allProtections = 0b111_1111_1111

test('is made again by the next who asks', async () => {
  const { EAGAIN } = constants.errno
  const answers: Completion[] = [
    completion({ outcome: Outcome.notStarted, step: 'clone', errno: EAGAIN, exited: undefined }),
    completion({ protections: allProtections, confirmed: allProtections }),
    completion({ protections: allProtections, confirmed: allProtections }), // of Workspace mode
  ]
  const { engine } = await provenEngine()
  jest.spyOn(engine, 'sandboxSupport').mockReturnValue({ landlock: 7, signals: true, seccomp: true })
  const start = jest.spyOn(engine, 'start').mockImplementation((_, onCompletion) => {
    const answer = answers.shift()
    if (answer !== undefined) onCompletion(answer)
    return 1
  })

  expect(await probeSandbox()).toMatchObject({
    available: false,
    reason: 'it could not be tried out: clone: EAGAIN (resource temporarily unavailable)',
  })
  expect(await probeSandbox()).toMatchObject({ available: true })
  expect(await probeSandbox()).toMatchObject({ available: true })
  expect(start).toHaveBeenCalledTimes(3)
})
