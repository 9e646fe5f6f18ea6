// The sub-commands of git that are known to only read, with their options. Not `describe --dirty`, which rewrites the index,
// nor what runs an external diff or textconv by an option of its own. What takes its value only behind `=`, or attached, must
// not have it in the next argument: that may be `--output=…`, which makes a file even where git refuses the rest.

import type { OptionForm } from '../option-form.js'
import { names } from './form.js'

export interface GitForm {
  /** `'any'`: what is wrong with its arguments is left to a check. */
  options: OptionForm | 'any'
}

const diff: OptionForm = {
  flags: 'pusRabwzCMBDW',
  values: 'SG',
  optional: 'U',
  nums: true,
  long: names(`
    stat numstat shortstat name-only name-status summary patch no-patch raw minimal patience histogram word-diff color no-color
    color-words cached staged check no-ext-diff no-textconv no-renames find-renames find-copies ignore-all-space
    ignore-space-change ignore-blank-lines ignore-space-at-eol exit-code quiet full-index binary abbrev no-abbrev dirstat
    compact-summary text function-context merge-base no-prefix relative no-index patch-with-stat patch-with-raw
    ita-invisible-in-index pickaxe-all pickaxe-regex no-color-moved color-moved cc combined-all-paths unified ignore-submodules
  `),
  longValues: names(
    'diff-filter diff-algorithm src-prefix dst-prefix inter-hunk-context stat-width find-object word-diff-regex',
  ),
}

/** Options of all that go through commits. */
const walk: OptionForm = {
  ...diff,
  flags: `${diff.flags}gimcqt`,
  values: `${diff.values}n`,
  long: [
    ...(diff.long ?? []),
    ...names(`
      oneline graph decorate no-decorate all branches tags remotes merges no-merges first-parent reverse follow pretty
      abbrev-commit no-abbrev-commit topo-order date-order author-date-order walk-reflogs left-right cherry-pick
      cherry-mark cherry parents children boundary simplify-by-decoration full-history no-walk source relative-date
      use-mailmap no-notes notes regexp-ignore-case extended-regexp fixed-strings perl-regexp all-match invert-grep count
      ancestry-path log-size no-log-size clear-decorations show-pulls sparse dense do-walk left-only right-only no-mailmap
      email numbered min-parents max-parents
    `),
  ],
  longValues: [
    ...(diff.longValues ?? []),
    ...names(`
      max-count skip since after until before author committer grep grep-reflog glob exclude encoding date format
    `),
  ],
}

const log: OptionForm = {
  ...walk,
  values: `${walk.values}L`,
  longValues: [...(walk.longValues ?? []), ...names('decorate-refs decorate-refs-exclude')],
}

/** `-n` sorts by numbers, `--committer` groups, and so does `--group`, whose value may be the next argument. */
const shortlog: OptionForm = {
  ...walk,
  flags: `${walk.flags}nse`,
  values: diff.values ?? '',
  long: [...(walk.long ?? []), 'committer'],
  longValues: [...(walk.longValues ?? []).filter((name) => name !== 'committer'), 'group'],
}

const revList: OptionForm = {
  ...walk,
  long: [...(walk.long ?? []), ...names('objects disk-usage stdin timestamp header')],
}

const forms: Record<string, GitForm> = {
  // Each of the names keeps it from changing anything.
  apply: { options: { flags: 'vR', values: 'p', long: names('stat numstat summary check verbose reverse') } },
  blame: {
    options: {
      flags: 'bclrtfnswepMC',
      values: 'LS',
      long: names(`
        line-porcelain porcelain root show-stats date show-name show-number show-email abbrev color-lines color-by-age
      `),
      longValues: names('ignore-rev ignore-revs-file'),
    },
  },
  branch: {
    options: {
      flags: 'avrl',
      long: names(`
        all remotes list verbose show-current color no-color no-column no-abbrev ignore-case contains no-contains merged
        no-merged
      `),
      longValues: names('format sort points-at'),
    },
  },
  'cat-file': {
    options: {
      flags: 'tspe',
      long: names('batch batch-check follow-symlinks buffer unordered batch-all-objects'),
    },
  },
  'check-attr': { options: { flags: 'az', long: names('all cached') } },
  'check-ignore': {
    options: { flags: 'qvzn', long: names('quiet verbose non-matching no-index stdin') },
  },
  cherry: { options: { flags: 'v' } },
  config: {
    options: {
      flags: 'lz',
      long: names(`
        get get-all get-regexp list show-origin show-scope name-only local global system bool int path null worktree
      `),
      longValues: names('type default'),
      stops: true,
    },
  },
  'count-objects': { options: { flags: 'vH', long: names('verbose human-readable') } },
  describe: {
    options: {
      long: names('all tags contains always long exact-match first-parent abbrev'),
      longValues: names('candidates match exclude'),
    },
  },
  diff: { options: diff },
  'diff-files': { options: diff },
  'diff-index': { options: walk },
  'diff-tree': {
    options: { ...walk, flags: `${walk.flags}r`, long: [...(walk.long ?? []), 'no-commit-id', 'root'] },
  },
  'for-each-ref': {
    options: { long: ['no-merged'], longValues: names('format sort count contains merged points-at') },
  },
  grep: {
    options: {
      flags: 'nilLwvhHcEGFPpWIqzr',
      values: 'ABCemf',
      nums: true,
      long: names(`
        line-number column ignore-case files-with-matches name-only files-without-match count word-regexp invert-match full-name
        extended-regexp fixed-strings perl-regexp basic-regexp cached no-index untracked heading break show-function
        function-context all-match and or not color no-color quiet recursive exclude-standard null only-matching
      `),
      longValues: names('max-depth after-context before-context context threads max-count'),
      threads: ['threads'],
    },
  },
  log: { options: log },
  'ls-files': {
    options: {
      flags: 'cdmoisktuvfz',
      values: 'xX',
      long: names(`
        cached deleted modified others ignored stage unmerged killed directory no-empty-directory exclude-standard error-unmatch
        full-name recurse-submodules abbrev eol deduplicate
      `),
      longValues: names('exclude exclude-from exclude-per-directory with-tree format'),
    },
  },
  'ls-tree': {
    options: {
      flags: 'drtlz',
      long: names('name-only name-status long full-name full-tree abbrev object-only'),
      longValues: ['format'],
    },
  },
  'merge-base': { options: { flags: 'a', long: names('all octopus independent is-ancestor fork-point') } },
  'name-rev': { options: { long: names('name-only tags all always'), longValues: ['refs'] } },
  'range-diff': { options: diff },
  reflog: { options: log },
  remote: { options: { flags: 'v', long: ['verbose'], stops: true } },
  'rev-list': { options: revList },
  'rev-parse': { options: 'any' },
  shortlog: { options: shortlog },
  show: { options: log },
  'show-ref': {
    options: { flags: 'dsqh', long: names('heads tags head dereference hash verify quiet abbrev') },
  },
  stash: { options: 'any' },
  status: {
    options: {
      flags: 'svbz',
      optional: 'u',
      long: names(`
        short branch show-stash porcelain long verbose untracked-files ignored column no-column ahead-behind no-ahead-behind
        renames no-renames find-renames
      `),
      longValues: ['ignore-submodules'],
    },
  },
  'symbolic-ref': { options: { flags: 'q', long: names('short quiet'), max: 1 } },
  tag: {
    options: {
      flags: 'l',
      optional: 'n',
      nums: true,
      long: names('list ignore-case contains no-contains merged no-merged'),
      longValues: names('sort points-at format'),
    },
  },
  version: { options: 'any' },
  whatchanged: { options: log },
  worktree: { options: 'any' },
}

export const gitForms: ReadonlyMap<string, GitForm> = new Map(Object.entries(forms))
