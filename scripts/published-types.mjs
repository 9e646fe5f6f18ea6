// Which declarations the package needs: those that its exports name, and what these import. A module's others are nobody's
// to use, and would be a twentieth of the package.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * @param {Record<string, unknown>} exports that of package.json
 * @param {string} root the directory of package.json
 * @returns {Set<string>} absolute paths
 */
export function publishedTypes(exports, root) {
  const published = new Set()
  const visit = (file) => {
    if (published.has(file)) return
    published.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(
      /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g,
    )
    for (const [, , path] of imports) visit(resolve(dirname(file), declarationOf(path)))
  }
  for (const entry of Object.values(exports)) {
    if (typeof entry !== 'object') continue
    for (const { types } of Object.values(entry)) visit(resolve(root, types))
  }
  return published
}

/** `./a.js` is declared in `./a.d.ts`, `./a.mjs` in `./a.d.mts`. */
const declarationOf = (path) => path.replace(/\.(m?)js$/, '.d.$1ts')
