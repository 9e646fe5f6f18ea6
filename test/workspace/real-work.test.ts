// What people do in a working directory comes out in Workspace mode as it does without: same result, same files, with
// the same modes, owners and times.
import { works } from '../fixtures/workspace/real-work.cjs'
import { compareWork } from './compare-work.js'

compareWork(works)
