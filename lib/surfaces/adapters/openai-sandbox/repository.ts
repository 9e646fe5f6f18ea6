// A git_repo entry: cloned in the sandbox of the session, from which its host can be reached meanwhile.

import type { GitRepo } from '@openai/agents/sandbox'
import { invalidInput } from '../../../base/util/invalid-input.js'
import type { Confinement } from './confinement.js'

const timeout = 300_000
const shortForm = /^[\w.-]+(?:\/[\w.-]+)+$/
const hostName = /^[\w.-]+(?::\d+)?$/

/** Arguments: repository, target below the workspace, ref, whether that may be a commit, what of the repository. */
const script = `set -e
repo=$1 target=$2 ref=$3 commit=$4 part=$5
copy=$(mktemp -d)
trap 'rm -rf -- "$copy"' EXIT
fetch() {
  git init -q "$copy/r" && git -C "$copy/r" remote add origin "$repo" &&
    git -C "$copy/r" fetch -q --depth 1 --no-tags origin "$ref" && git -C "$copy/r" checkout -q --detach FETCH_HEAD
}
if [ "$commit" != yes ] || ! fetch 2>"$copy/why"; then
  rm -rf -- "$copy/r"
  git clone -q --depth 1 \${ref:+--branch "$ref"} -- "$repo" "$copy/r"
fi
source=$copy/r
if [ -n "$part" ]; then
  source=$(realpath -e -- "$copy/r/$part")
  case $source/ in "$(realpath -e -- "$copy/r")"/*) ;; *) echo "$part leaves the repository" >&2; exit 1 ;; esac
fi
mkdir -p -- "$(dirname -- "$target")"
if [ -d "$source" ]; then mkdir -p -- "$target"; cp -R -p -- "$source/." "$target"; else cp -p -- "$source" "$target"; fi`

/** @throws {Error} that says what git says */
export async function cloneRepository(confinement: Confinement, path: string, entry: GitRepo): Promise<void> {
  const { repo, host = 'github.com', ref = '', subpath = '' } = entry
  const url = shortForm.test(repo) && hostName.test(host) ? `https://${host}/${repo}.git` : repo
  const domain = domainOf(url, repo)
  if (ref.startsWith('-')) throw invalidInput('ref', 'must not begin with a minus sign', ref)
  const isCommit = /^[0-9a-f]{7,40}$/i.test(ref) ? 'yes' : 'no'
  const args = [url, path === '' ? '.' : `./${path}`, ref, isCommit, subpath]
  const result = await confinement.runScript(
    { text: script, args, timeout },
    domain === undefined ? {} : { domains: [domain] },
  )
  if (result.status === 'completed') return
  throw new Error(result.output.trim() || (result.error?.message ?? result.status))
}

/** @returns undefined for a repository of this machine */
function domainOf(url: string, given: string): string | undefined {
  const { protocol, host } = URL.canParse(url) ? new URL(url) : { protocol: '', host: '' }
  if (protocol === 'file:') return undefined
  if ((protocol === 'https:' || protocol === 'http:') && host !== '') return host
  throw invalidInput('repo', 'must be owner/name, or a URL that begins with https:, http: or file:', given)
}
