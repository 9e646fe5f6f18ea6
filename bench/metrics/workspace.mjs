// What it costs to confine a command that may write in one directory: the smallest one, and work on many files.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { withHost } from '../harness/host-client.mjs'
import { takeRounds } from '../harness/rounds.mjs'

const FILES = 2000
const HOME_ENTRIES = 200

/** Not where scratch directories are made: a home that lies there would be another each time. */
const PLACE = '/var/tmp'

const SMALL = 'bash -c :'
const NO_LIST = 'bash -c :, without the list of unreadable paths'
const HOME = `bash -c :, a home of ${HOME_ENTRIES} entries`
const CHECKOUT = `git checkout of ${FILES} files`
const COMPILE = 'gcc'
const EXTRACT = `tar x of ${FILES} files`

const IDENTITY = ['-c', 'user.name=b', '-c', 'user.email=b@example.org', '-c', 'init.defaultBranch=full']

export default {
  name: 'workspace',
  title: 'what Workspace mode and other sandboxes add',
  quantities: [
    { key: 'added', label: 'added', unit: 'ms', chart: true },
    { key: 'overRestricted', label: 'more than Restricted mode', unit: 'ms' },
    { key: 'ratio', label: 'confined ÷ free', unit: '×' },
    { key: 'confined', label: 'confined', unit: 'ms' },
    { key: 'free', label: 'without', unit: 'ms' },
    { key: 'cpu', label: 'CPU added', unit: 'ms' },
    { key: 'cpuRatio', label: 'CPU, confined ÷ free', unit: '×' },
  ],
  goals: [
    { case: NO_LIST, quantity: 'overRestricted', atMost: 0.3 },
    { case: HOME, quantity: 'overRestricted', atMost: 0.5 },
    { case: CHECKOUT, quantity: 'ratio', atMost: 1.05 },
    { case: COMPILE, quantity: 'ratio', atMost: 1.05 },
    { case: EXTRACT, quantity: 'ratio', atMost: 3 },
  ],
  settings: {
    full: { count: 25, large: 3, wanted: 20, budgetMs: 180_000 },
    quick: { count: 10, large: 1, wanted: 3, budgetMs: 20_000 },
  },

  async measure({ contenders, note }, { count, large, ...limits }) {
    const directory = fs.mkdtempSync(path.join(PLACE, 'bashward-bench-workspace-'))
    try {
      const { cases, missing } = prepare(directory)
      for (const reason of missing) note(`workspace: ${reason}`)
      return await withHost(async (host) => {
        const plan = contenders
          .filter(({ confines }) => confines)
          .flatMap(({ name: contender, onlyConfines }) =>
            cases
              // Others have other ideas of a directory to write to: they show what a sandbox costs at all.
              .filter(({ small }) => small || !onlyConfines)
              .filter(({ name }) => name === SMALL || !onlyConfines)
              .map(({ name, small, ...request }) => ({
                case: name,
                contender,
                run: () => host.call('workspace', { contender, count: small ? count : large, ...request }),
              })),
          )
        for (const { run } of plan) await run().catch(() => {})
        return takeRounds(plan, limits)
      })
    } finally {
      fs.rmSync(directory, { recursive: true, force: true })
    }
  },
}

/** Everything that the commands work on, below `directory`. */
function prepare(directory) {
  const make = (name) => {
    const made = path.join(directory, name)
    fs.mkdirSync(made)
    return made
  }
  const home = make('home')
  const cases = [
    { name: NO_LIST, small: true, command: ':', cwd: make('empty'), home, writes: false, unreadable: [] },
    { name: SMALL, small: true, command: ':', cwd: make('empty-1'), home, writes: false },
    {
      name: HOME,
      small: true,
      command: ':',
      cwd: make('empty-2'),
      home: makeHome(make('full-home')),
      writes: false,
    },
  ]
  const missing = []
  const add = (name, makeCase) => {
    try {
      cases.push({ name, small: false, home, writes: true, ...makeCase() })
    } catch (error) {
      missing.push(`no ${name}: ${error.message.split('\n')[0]}`)
    }
  }
  add(CHECKOUT, () => {
    const cwd = makeRepository(make('repository'))
    return { command: 'git checkout -q full', reset: 'git checkout -q empty', cwd }
  })
  add(COMPILE, () => {
    const cwd = make('source')
    fs.writeFileSync(path.join(cwd, 'a.c'), longSource())
    execFileSync('gcc', ['-O1', '-c', 'a.c'], { cwd, stdio: 'pipe' })
    return { command: 'gcc -O1 -c a.c', reset: 'rm -f a.o', cwd }
  })
  add(EXTRACT, () => {
    const cwd = make('archive')
    makeFiles(make('archive/files'))
    execFileSync('tar', ['-cf', 'archive.tar', 'files'], { cwd, stdio: 'pipe' })
    return { command: 'tar -xf archive.tar', reset: 'rm -rf files', cwd }
  })
  return { cases, missing }
}

function makeFiles(directory) {
  for (let i = 0; i < FILES; i++) {
    const below = path.join(directory, String(i % 50))
    fs.mkdirSync(below, { recursive: true })
    fs.writeFileSync(path.join(below, `file-${i}`), `${i}\n`.repeat(20))
  }
}

/** The branch `empty` has none of the files. */
function makeRepository(directory) {
  const git = (...words) => execFileSync('git', [...IDENTITY, ...words], { cwd: directory, stdio: 'pipe' })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'empty')
  git('branch', 'empty')
  makeFiles(directory)
  git('add', '.')
  git('commit', '-q', '-m', 'full')
  return directory
}

/** Half of them are directories; some are on the list of what cannot be read. */
function makeHome(directory) {
  const secret = [
    '.ssh',
    '.aws',
    '.gnupg',
    '.kube',
    '.netrc',
    '.npmrc',
    '.docker/config.json',
    '.config/gh/hosts.yml',
  ]
  for (const name of secret) {
    fs.mkdirSync(path.dirname(path.join(directory, name)), { recursive: true })
    fs.writeFileSync(path.join(directory, name), 'secret\n')
  }
  for (let i = fs.readdirSync(directory).length; i < HOME_ENTRIES; i++) {
    if (i % 2 === 0) fs.mkdirSync(path.join(directory, `directory-${i}`))
    else fs.writeFileSync(path.join(directory, `file-${i}`), '')
  }
  return directory
}

/** Something to do for half a second or so. */
function longSource() {
  const functions = Array.from(
    { length: 300 },
    (_, i) => `int f${i}(int n) { return n < ${i} ? n * ${i} + 1 : n / 3; }`,
  )
  return `${functions.join('\n')}\n`
}
