// Executes the recipes of docs/ with the frameworks themselves: `npm run test:recipes [PAGE...]`. Downloads some hundred
// megabytes into a temporary directory, which is removed.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf } from './blocks.mjs'
import { recipes } from './recipes.mjs'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const wanted = process.argv.slice(2)

const run = (cwd, program, args) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })

const checkRecipe = (directory, { page, packages, typed, check, files, program }) => {
  mkdirSync(directory)
  const dependencies = { ...packages, bashward: `file:${root}` }
  writeFileSync(
    join(directory, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  run(directory, 'npm', ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'])
  const snippets = blocksOf(page, 'js')
  if (typed !== undefined) {
    const modules = snippets.map((code, index) => {
      const file = `snippet-${index}.js`
      writeFileSync(join(directory, file), `${typed.given}\n${code}`)
      return file
    })
    const options = [
      '--noEmit',
      '--allowJs',
      '--checkJs',
      '--strict',
      '--skipLibCheck',
      '--noImplicitAny',
      'false',
    ]
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    run(directory, process.execPath, [tsc, ...options, '--module', 'nodenext', ...modules])
  }
  if (program !== undefined) {
    for (const [name, text] of Object.entries(files(directory))) writeFileSync(join(directory, name), text)
    run(directory, process.execPath, [join(root, 'test/recipes', program)])
    return
  }
  writeFileSync(join(directory, 'recipe.js'), `${snippets[0]}\n${check}`)
  run(directory, process.execPath, ['recipe.js'])
}

const temporary = mkdtempSync(join(tmpdir(), 'bashward-recipes-'))
let failed = 0
try {
  for (const recipe of recipes) {
    if (wanted.length > 0 && !wanted.includes(recipe.page)) continue
    try {
      checkRecipe(join(temporary, recipe.page), recipe)
      console.log(`ok      docs/${recipe.page}.md`)
    } catch (error) {
      failed += 1
      console.log(`failed  docs/${recipe.page}.md: ${error.message}`)
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1
