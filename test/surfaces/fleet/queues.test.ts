// What a client knows of a call that it has put into the queue of a worker.
import { Queues } from '../../../lib/surfaces/fleet/client/queues.js'
import { execQueue, jobKey } from '../../../lib/surfaces/fleet/names.js'
import { endFleets, fleetTest } from './describe-fleet.js'
import { TestFleet } from './test-fleet.js'

endFleets()

const signed = { body: '', key: '', signature: '' }

fleetTest(
  'a call that was dropped for another sending, whose job is gone by now, waits for itself',
  async () => {
    const { redis } = await TestFleet.start({ workers: [] })
    const { client } = redis
    const queues = new Queues(client)
    const add = async (sending: string) =>
      await queues.add('w1', execQueue, { jobId: 'call-digest', sending }, signed)
    const look = client.hget.bind(client)
    const answers = [await add('first'), await add('second')]
    client.hget = (async (...args: Parameters<typeof look>) => {
      await client.del(jobKey('w1', execQueue, 'call-digest'))
      return await look(...args)
    }) as typeof look
    answers.push(await add('third'))
    await queues.close()

    // Whoever follows looks for the answer, and otherwise sends the call once more.
    expect(answers).toEqual([false, true, true])
  },
)
