// The files of sessions, whatever a command has left there.
import { testTrees } from './hostile-trees/check.js'
import { aiSurfaces } from './hostile-trees/surfaces.js'

for (const [place, surface] of aiSurfaces.entries()) testTrees(surface, place)
