// The files of sessions, whatever a command has left there.
import { testTrees } from './hostile-trees/check.js'
import { aiSurfaces } from './hostile-trees/surfaces.js'

for (const surface of aiSurfaces) testTrees(surface)
