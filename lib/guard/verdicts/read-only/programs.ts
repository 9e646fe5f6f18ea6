// The programs of which some forms are known to change no file, to reach no network and to start no program but those that
// are named. An allow list: what is not in it asks. Not in it, and why: npm, pip, cargo, go and the like write logs and
// caches, or fetch a toolchain; java writes below /tmp, and top makes its directory; docker, kubectl and gh reach a network;
// less and man start pagers; zcat and zgrep are scripts; nm and objdump load plugins, and parse what may have been made to
// break them; ag and ack read a configuration.

import { awk } from '../checks/awk.js'
import { find } from '../checks/find.js'
import { git } from '../checks/git.js'
import * as listings from '../checks/listings.js'
import { sed } from '../checks/sed-command.js'
import * as shell from '../checks/shell.js'
import * as wrappers from '../checks/wrappers.js'
import { names, type ReadOnlyForm, type ReadOnlyTable } from './form.js'

const always = names(`
  arch b2sum basename basenc base32 cal cat cksum cmp column comm cut df dir dirname dirs du echo egrep exit expand expr
  factor false fgrep fmt fold free grep groups head hexdump id join locale logname ls lscpu md5sum nl nproc
  numfmt od paste pathchk pgrep pidof printenv ps pwd readlink realpath return rev seq sha1sum sha224sum
  sha256sum sha384sum sha512sum shift sleep stat sum tac tail tr true tsort tty uname unexpand uptime users wc whereis
  which whoami yes :
`)

const forms: Record<string, ReadOnlyForm> = {
  awk,
  base64: {
    flags: 'di',
    values: 'w',
    long: names('decode ignore-garbage help version'),
    longValues: ['wrap'],
  },
  bash: shell.shell,
  // Its language neither writes nor runs anything; that of dc does.
  bc: { flags: 'lqsw', long: names('mathlib quiet standard warn') },
  break: {},
  builtin: wrappers.builtin,
  bzcat: {},
  bzip2: listings.gzip,
  cd: shell.changeDirectory,
  command: wrappers.command,
  continue: {},
  dash: shell.shell,
  date: shell.date,
  declare: shell.declare,
  diff: {
    flags: 'qsrNauwbBiEtTdpyHZcen',
    values: 'UCIxXWFLS',
    long: names(`
      brief unified context side-by-side recursive new-file ignore-all-space ignore-space-change ignore-blank-lines
      ignore-case color suppress-common-lines report-identical-files text minimal strip-trailing-cr no-dereference left-column
      normal ed ignore-trailing-space expand-tabs initial-tab show-c-function speed-large-files
    `),
    longValues: names(`
      exclude label width ignore-matching-lines exclude-from starting-file line-format new-line-format old-line-format
      unchanged-line-format
    `),
  },
  env: wrappers.env,
  eval: shell.evaluate,
  export: shell.exported,
  fd: listings.fd,
  fdfind: listings.fd,
  file: {
    flags: 'bihkLNrs0vE',
    values: 'Fe',
    long: names('brief mime mime-type mime-encoding dereference no-dereference version extension'),
    longValues: names('separator exclude'),
  },
  find,
  gawk: awk,
  // Not `-v`, which may start another one for that specification.
  getconf: { flags: 'a', max: 2 },
  git,
  gofmt: { flags: 'les' },
  gzip: listings.gzip,
  hash: { max: 0 },
  // Not `-s`, for which some versions ask a name server.
  hostname: { flags: 'I', max: 0 },
  iconv: listings.iconv,
  jobs: { flags: 'lnprs', max: 0 },
  jq: listings.jq,
  local: shell.declare,
  lsblk: 'any',
  lsof: listings.lsof,
  mapfile: shell.names({ flags: 't', values: 'dnOsu' }),
  mawk: awk,
  nawk: awk,
  netstat: listings.netstat,
  nice: wrappers.nice,
  node: listings.node,
  'pkg-config': {
    long: names(`
      cflags libs static exists modversion version list-all cflags-only-I cflags-only-other libs-only-l libs-only-L
      libs-only-other print-errors print-requires print-variables
    `),
    longValues: names('variable atleast-version exact-version max-version'),
  },
  popd: shell.changeDirectory,
  printf: shell.printf,
  pstree: { flags: 'acglnpsuAU', max: 1 },
  pushd: shell.changeDirectory,
  read: shell.names({ flags: 'rs', values: 'adinNptu' }),
  readarray: shell.names({ flags: 't', values: 'dnOsu' }),
  readonly: shell.declare,
  rg: listings.rg,
  sed,
  set: shell.set,
  sh: shell.shell,
  shellcheck: {
    flags: 'ax',
    values: 'efiosPSW',
    optional: 'C',
    long: names('check-sourced external-sources color norc version list-optional'),
    longValues: names('format include exclude severity shell source-path wiki-link-count enable'),
  },
  shopt: shell.shopt,
  shuf: {
    flags: 'ezr',
    values: 'in',
    long: names('echo repeat zero-terminated'),
    longValues: names('input-range head-count'),
  },
  sort: {
    flags: 'bdfgiMhnRrVcCmsuz',
    values: 'ktS',
    long: names(`
      ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort
      numeric-sort random-sort reverse version-sort check merge stable unique zero-terminated sort
    `),
    longValues: names('key field-separator buffer-size parallel'),
    threads: ['parallel'],
  },
  ss: { flags: 'tulnpaxewoimsH46', long: names('tcp udp listening numeric processes all'), max: 0 },
  stdbuf: wrappers.stdbuf,
  strings: listings.strings,
  tar: listings.tar,
  tee: { flags: 'aip', max: 0 },
  test: shell.test,
  '[': shell.test,
  time: wrappers.time,
  timeout: wrappers.timeout,
  tree: listings.tree,
  type: shell.type,
  typeset: shell.declare,
  ulimit: { flags: 'aHScdflmnpstuvx', max: 0 },
  umask: { flags: 'Sp', max: 0 },
  uniq: {
    flags: 'cdDuiz',
    values: 'fsw',
    long: names('count repeated unique ignore-case zero-terminated all-repeated group'),
    longValues: names('skip-fields skip-chars check-chars'),
    max: 1,
  },
  unset: shell.names({ flags: 'v' }),
  unzip: listings.unzip,
  wait: { flags: 'fn' },
  // Not `--lookup`, which asks a name server.
  who: {
    flags: 'abdHlmpqrstTuw',
    long: names(
      'all boot count dead heading login mesg message process runlevel short time users writable version',
    ),
    max: 2,
  },
  xargs: wrappers.xargs,
  xxd: listings.xxd,
  xz: listings.gzip,
  xzcat: {},
  zstd: listings.gzip,
  zstdcat: {},
}

const versions = names('bun clang cmake cc curl g++ gcc lua make perl php python python3 ruby')

export const programs: ReadOnlyTable = new Map<string, ReadOnlyForm>([
  ...always.map((name): [string, ReadOnlyForm] => [name, 'any']),
  ...versions.map((name): [string, ReadOnlyForm] => [name, listings.version]),
  ...Object.entries(forms),
])
