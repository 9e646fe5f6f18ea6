// A small project, as agents find them: sources, data, and a repository with some history.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const files = {
  'README.md': '# A project\n\nfoo bar\nb/c 1 2\nx\n',
  'package.json': '{ "name": "a", "version": "1.2.3", "items": [1, 2], "dependencies": { "b": "1" } }\n',
  'package-lock.json': '{ "lockfileVersion": 3 }\n',
  'tsconfig.json': '{ "compilerOptions": {} }\n',
  Makefile: 'all:\n\techo made > made\n',
  '.gitignore': 'dist\nnode_modules\n',
  '.env': 'KEY=value\n',
  'data.csv': 'a,b,c\n1,2,3\n4,5,6\n4,5,6\n',
  'data.json': '{ "items": [{ "name": "x" }], "keys": {} }\n',
  'app.log': '2026-01-01 INFO begun\n2026-01-01 ERROR failed: 5\n2026-01-02 INFO ended\n',
  'logo.png': 'not an image, but text\0and more text\n',
  'src/main.ts': "import { util } from './util.js'\n\nexport const main = () => util(1) // TODO\n",
  'src/util.ts': 'export const util = (x: number) => x + 1\nexport default util\n',
  'src/util.py': 'def util(x):\n    return x + 1\n',
  'src/a file': 'with a blank in its name\n',
  'test/main.test.ts': "test('main', () => {})\n",
  'docs/guide.md': '# Guide\n\nRead it.\n',
  'session.log': 'begun\n',
  'scripts/build.sh': '#!/bin/bash\necho built > built\n',
  'dist/main.js': 'exports.main = 1\n',
  'node_modules/b/package.json': '{ "name": "b" }\n',
}

const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']

const signature = '-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n'
const from = 'A <a@example.com> 1700000000 +0000'

/** What looks signed, so that git runs the program that the repository names for looking at signatures. It leaves a mark. */
const signed = (directory, git) => {
  writeFileSync(join(directory, '.git/signatures'), '#!/bin/sh\ntouch pwned-by-gpg\n', { mode: 0o755 })
  git(['config', 'gpg.program', './.git/signatures'])
  git(['config', 'pretty.evil', 'format:%G?'])
  const write = (type, text) => git(['hash-object', '-t', type, '-w', '--stdin'], text).trim()
  const [tree, parent] = ['HEAD^{tree}', 'HEAD'].map((name) => git(['rev-parse', name]).trim())
  const header = signature.trimEnd().replaceAll('\n', '\n ')
  const people = `author ${from}\ncommitter ${from}\n`
  const commit = write('commit', `tree ${tree}\nparent ${parent}\n${people}gpgsig ${header}\n\nSigned\n`)
  git(['reset', '-q', '--soft', commit])
  const tag = write('tag', `object ${commit}\ntype commit\ntag v2.0\ntagger ${from}\n\nTwo\n${signature}`)
  git(['update-ref', 'refs/tags/v2.0', tag])
}

/** @param {string} directory is made */
export const makeProject = (directory) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const git = (parameters, input = '') =>
    execFileSync('git', [...identity, ...parameters], {
      cwd: directory,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, HOME: directory },
    })
  git(['init', '-q', '-b', 'main'])
  git(['add', '.'])
  git(['commit', '-q', '-m', 'Begin'])
  git(['tag', 'v1.0'])
  writeFileSync(
    join(directory, 'src/util.ts'),
    'export const util = (x: number) => x + 2\nexport default util\n',
  )
  git(['commit', '-q', '-a', '-m', 'Add two'])
  git(['branch', 'other'])
  git(['remote', 'add', 'origin', join(directory, 'no-such-repository')])
  signed(directory, git)
  writeFileSync(join(directory, 'README.md'), `${files['README.md']}changed\n`)
}
