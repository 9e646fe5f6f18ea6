// The rows of the matrix: a kernel, how to boot it, and what Restricted mode must be like on it.

/** @typedef {'debian' | 'ubuntu'} Distribution */

/**
 * @typedef {object} Row
 * @property {string} name as in `--only`
 * @property {string} kernel the version; the newest package of it is taken
 * @property {Distribution} [distribution] whose package; Debian's unless it is said
 * @property {'amd64' | 'arm64'} architecture as Debian calls it
 * @property {string} [parameters] more of the kernel's command line
 * @property {number} [yama] who may trace whom: kernel.yama.ptrace_scope
 * @property {{ abi: number } | { refused: 'notBuiltIn' | 'disabledAtBoot' }} expected `refused`: no Restricted mode, for
 *   this reason
 */

/**
 * Why there is no Workspace mode: words of the reason. Undefined where there is one.
 *
 * @param {Row} row
 */
export const workspaceRefusal = ({ expected }) => {
  if ('refused' in expected) return 'Landlock'
  return expected.abi < 2 ? 'Landlock ABI 2' : undefined
}

const NEWEST = '7.3'

/** Everything that a Debian kernel starts but Landlock. */
const WITHOUT_LANDLOCK = 'lsm=lockdown,yama,apparmor'

const row = (kernel, expected, more = {}) => ({
  name: kernel,
  kernel,
  architecture: 'amd64',
  expected,
  ...more,
})

/** What Debian has no package of any more: between them they have every Landlock before that of 6.12. */
const ubuntu = (kernel, abi) => row(kernel, { abi }, { distribution: 'ubuntu' })

/** @type {Row[]} */
export const rows = [
  row('5.10', { refused: 'notBuiltIn' }),
  ubuntu('5.15', 1),
  ubuntu('5.19', 2),
  row('6.1', { abi: 2 }),
  ubuntu('6.2', 3),
  ubuntu('6.5', 3),
  ubuntu('6.8', 4),
  ubuntu('6.11', 5),
  row('6.12', { abi: 6 }),
  row('6.12', { abi: 6 }, { name: '6.12-yama', yama: 1 }),
  row('6.12', { refused: 'disabledAtBoot' }, { name: '6.12-disabled', parameters: WITHOUT_LANDLOCK }),
  row('6.18', { abi: 7 }),
  row('7.0', { abi: 8 }),
  row('7.1', { abi: 9 }),
  row('7.2', { abi: 10 }),
  row(NEWEST, { abi: 11 }),
  row('6.12', { abi: 6 }, { name: 'arm64-6.12', architecture: 'arm64' }),
  row(NEWEST, { abi: 11 }, { name: `arm64-${NEWEST}`, architecture: 'arm64' }),
]

/** @typedef {'root' | 'ordinary'} User */

/** @type {User[]} */
export const users = ['root', 'ordinary']

/** @param {User} user */
export const uidOf = (user) => (user === 'root' ? 0 : 1000)

/**
 * The boots of a run, in the order of the rows.
 *
 * @param {string[]} names of rows; none are all
 * @param {User[]} as
 */
export const planBoots = (names, as) =>
  rows
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .flatMap((row) => as.map((user) => ({ row, user })))
