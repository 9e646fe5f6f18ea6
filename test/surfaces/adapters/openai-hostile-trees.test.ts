// The files of sessions, whatever a command has left there.
import { testTrees } from './hostile-trees/check.js'
import { openaiSurfaces } from './hostile-trees/surfaces.js'

for (const [place, surface] of openaiSurfaces.entries()) testTrees(surface, place)
