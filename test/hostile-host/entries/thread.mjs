// A thread of a host: loads the package for the first time when the host has had it for long.
import { run } from 'bashward'

await run('echo done', { cwd: '/' })
process.exit()
