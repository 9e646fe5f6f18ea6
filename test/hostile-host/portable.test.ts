// A host on the portable engine: it may execute a few programs of the system, and those by absolute paths only.
import { testTable } from './tables.js'

testTable('portable', {
  env: { BASHWARD_ENGINE: 'portable' },
  portable: ['sh', 'mkfifo', 'sleep', 'ps', 'sysctl'],
})
