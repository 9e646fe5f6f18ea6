// AGENTS.md, executed; and the files and scripts that it names exist.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../support/as-user.js'
import { testPage } from './executed-page.js'

testPage('AGENTS', { restricted: true })

const page = readFileSync(join(packageRoot, 'AGENTS.md'), 'utf8')

test.each([...page.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))('npm run %s', (name) => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  expect(scripts).toHaveProperty([name])
})

test.each([...page.matchAll(/`((?:lib|test|native|docs|bench)\/[\w/]*)`/g)].map(([, path = '']) => path))(
  '%s',
  (path) => {
    expect(existsSync(join(packageRoot, path))).toBe(true)
  },
)
