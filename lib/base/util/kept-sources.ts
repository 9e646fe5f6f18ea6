// Modules from sources that were read before: their files may have changed since.

import Module, { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

/** By the absolute path of each file, or the name of a package that is one file. */
export type Sources = Readonly<Record<string, string>>

export const noLongerLoaded = 'is no longer loaded: commands may have written to its file'

interface LoadedModule {
  filename: string
  paths: string[]
  loaded: boolean
  exports: unknown
  _compile(source: string, filename: string): void
}

type Load = (request: string, parent: LoadedModule, isMain: boolean) => unknown

// What require() calls, and what those who watch it replace.
const loader = Module as unknown as {
  new (filename: string, parent: LoadedModule): LoadedModule
  _cache: Record<string, LoadedModule | undefined>
  _load: Load
}

/**
 * Calls `load`, whose `require()` takes modules from the sources, but for those of Node.js and those that are loaded already.
 * Neither looks for files: where a name leads to may have changed as well.
 *
 * @throws {Error} for another module; what the modules throw
 */
export function loadFrom<Value>(sources: Sources, load: () => Value): Value {
  const original = loader._load
  loader._load = (request, parent, isMain) => {
    if (isBuiltin(request)) return original(request, parent, isMain)
    const name = request.startsWith('.') ? join(dirname(parent.filename), request) : request
    const cached = loader._cache[name]
    if (cached !== undefined) return cached.exports
    const source = sources[name]
    if (source === undefined) throw new Error(`${request} ${noLongerLoaded}`)
    return compile(name, source, parent)
  }
  try {
    return load()
  } finally {
    loader._load = original
  }
}

function compile(name: string, source: string, parent: LoadedModule): unknown {
  const module = new loader(name, parent)
  module.filename = name
  module.paths = []
  loader._cache[name] = module
  try {
    module._compile(source, name)
  } catch (error) {
    delete loader._cache[name]
    throw error
  }
  module.loaded = true
  return module.exports
}
