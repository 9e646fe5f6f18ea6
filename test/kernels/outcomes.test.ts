import { removeTempDirs, tempDir } from '../support/temp-dir.js'
import { openOutcomes } from './outcomes.mjs'
import { parseReports } from './reports.mjs'
import { planBoots } from './rows.mjs'

afterAll(removeTempDirs)

const [boot] = planBoots(['6.12'], ['root'])
const reports = parseReports('{"workspaceAttack":{"name":"a"}}\n{"socketAttack":{"name":"b"}}\n')

test('of a table only its own reports are kept', () => {
  const outcomes = openOutcomes(tempDir())
  outcomes.keep(boot, 'sockets', 'same', reports)

  expect(outcomes.find(boot, 'sockets', 'same')).toMatchObject({ socketAttacks: [{ name: 'b' }] })
  expect(outcomes.find(boot, 'sockets', 'same')).not.toHaveProperty('workspaceAttacks')
  expect(outcomes.find(boot, 'files', 'same')).toBeUndefined()
})

test('what another state of the code has reported is not found', () => {
  const outcomes = openOutcomes(tempDir())
  outcomes.keep(boot, 'files', 'one', reports)

  expect(outcomes.find(boot, 'files', 'other')).toBeUndefined()
})
