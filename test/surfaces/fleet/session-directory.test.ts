// Where calls that share a session run: it has a directory of its own, which no later call changes unasked.
import { endFleets, fleetTest } from './describe-fleet.js'
import { context, TestFleet } from './test-fleet.js'

endFleets()

fleetTest('workspaceDir says where a session begins; later it can be the same, or left out', async () => {
  const fleet = await TestFleet.start()
  const client = await fleet.client()
  await client.tool().execute({ command: 'mkdir -p a/deep b' }, context('c1'))
  const { bash } = client.suite()
  const call = async (command: string, workspaceDir?: string) => {
    const result = await bash.execute(
      { command },
      context('c1', workspaceDir === undefined ? {} : { workspaceDir }),
    )
    return result.error?.message ?? result.output.replace(/^.*\/(?=[a-z]+\n$)/, '')
  }

  expect(await call('pwd; cd deep', 'a')).toBe('a\n')
  expect(await call('pwd', 'a')).toBe('deep\n')
  expect(await call('pwd')).toBe('deep\n')
  expect(await call(fleet.noting('elsewhere'), 'b')).toMatch(
    /^context\.workspaceDir: must be where the session of its conversation began \(a\), or left out: .* \(got "b"\)$/,
  )
  expect(fleet.runs('elsewhere')).toBe(0)
})
