// What a result tells of the sandbox, of runs in a workspace of the test file. That removes it: `afterAll(removeTempDirs)`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfinedRun } from '../../../lib/guard/sandbox/denial-scope.js'
import type { DenialFields } from '../../../lib/guard/sandbox/findings.js'
import { denialFields } from '../../../lib/guard/sandbox/refusals.js'
import { readOnlyPlan } from '../../../lib/processes/engine/request.js'
import { tempDir } from '../../support/temp-dir.js'

export { report } from './broker-report.js'

export const parent = tempDir()
export const workspace = join(parent, 'ws')
export const outside = join(parent, 'outside')
for (const directory of [workspace, outside, join(workspace, 'src')]) mkdirSync(directory)

export const only = (act: string) => `${act} is allowed below ${workspace} and $TMPDIR only`
export const writing = only('writing')

export type Given = Partial<Omit<ConfinedRun, 'plan'>> & { plan?: Partial<ConfinedRun['plan']> }

export const refusals = (given: Given = {}): DenialFields =>
  denialFields({
    output: '',
    exitCode: 1,
    command: 'program',
    directory: workspace,
    sandbox: 'workspace',
    report: undefined,
    mayBeWritable: () => true,
    ...given,
    plan: {
      ...readOnlyPlan,
      writable: [workspace],
      scratchDirectory: join(parent, 'scratch'),
      ...given.plan,
    },
  })

export const said = (output: string, given: Given = {}) => refusals({ ...given, output })
