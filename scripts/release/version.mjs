// The version of the package, and its heading in the changelog.

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/
const UNRELEASED = /^## (\S+) \(unreleased\)$/m

export const isVersion = (text) => VERSION.test(text)

/** Whether version `a` is older than `b`; a pre-release is older than its release. */
export function isOlder(a, b) {
  const [[, ...left], [, ...right]] = [VERSION.exec(a), VERSION.exec(b)]
  const suffixes = [left.pop() ?? '', right.pop() ?? '']
  for (const [index, part] of left.entries()) {
    if (part !== right[index]) return Number(part) < Number(right[index])
  }
  const [before, after] = suffixes
  if (before === '' || after === '') return before !== '' && after === ''
  return before.localeCompare(after, 'en', { numeric: true }) < 0
}

/** The text of package.json or package-lock.json with another version. */
export function withVersion(json, version) {
  const manifest = JSON.parse(json)
  manifest.version = version
  if (manifest.packages) manifest.packages[''].version = version
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * The changelog with the heading of what is unreleased turned into that of a version.
 *
 * @throws {Error} when nothing is unreleased
 */
export function withReleaseHeading(changelog, version, date) {
  if (!UNRELEASED.test(changelog)) throw new Error('CHANGELOG.md has no heading that says (unreleased)')
  return changelog.replace(UNRELEASED, `## ${version} (${date.toISOString().slice(0, 10)})`)
}

/** What the changelog says of a released version, without the heading; undefined when it is not there. */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const heading = `${version} (`
  const section = sections.find(
    (text) => text.startsWith(heading) && !text.startsWith(`${heading}unreleased`),
  )
  return section?.slice(section.indexOf('\n')).trim()
}
