// The workspace as a tar archive, and back: made and unpacked by tar in the sandbox of the session, so that no link in the
// workspace and no name in an archive leads anywhere that commands could not go.

import type { SandboxArchiveLimits, WorkspaceArchiveData } from '@openai/agents/sandbox'
import type { RunResult } from '../../../commands/run/build-result.js'
import { contentOf, withExchange } from '../confined-files/exchange.js'
import type { Confinement } from './confinement.js'
import type { Sdk } from './sdk.js'

const timeout = 3_600_000

/** One that is made, or taken, is in the memory of this process. */
const maxArchiveBytes = 2 * 1024 ** 3 - 1

/** Status 1 of GNU tar: a file changed while it was read. */
const pack = `tar -cf - "$@" . >&0
status=$?
[ "$status" -le 1 ]`

const unpack = 'find . -mindepth 1 -delete && tar -xpf - --no-same-owner'

/** Members, and bytes of all files. A name of an owner may have spaces, and numbers that look like a size. */
const count = `set -o pipefail
tar --numeric-owner -tvf - | awk '{ members++; bytes += $3 } END { printf "%d %.0f\\n", members, bytes }'`

/**
 * @param leftOut paths below the workspace
 * @throws {SandboxArchiveError}
 */
export async function archiveOf(
  sdk: Sdk['sandbox'],
  confinement: Confinement,
  leftOut: Iterable<string>,
): Promise<Uint8Array> {
  const names = [...leftOut].map((path) => `--exclude=./${path}`)
  const options = names.length === 0 ? [] : ['--anchored', '--no-wildcards', ...names]
  const script = { text: pack, args: options, timeout, maxFileBytes: maxArchiveBytes }
  return await withExchange('', async (exchange) => {
    check(sdk, 'packed', await confinement.runScript(script, {}, exchange))
    return await contentOf(exchange, maxArchiveBytes)
  })
}

/**
 * Replaces what is in the workspace.
 *
 * @throws {SandboxArchiveError}
 */
export async function unpackArchive(
  sdk: Sdk['sandbox'],
  confinement: Confinement,
  data: WorkspaceArchiveData,
  limits: SandboxArchiveLimits | null | undefined,
): Promise<void> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data)
  const { maxInputBytes, maxMembers, maxExtractedBytes } = sdk.resolveSandboxArchiveLimits(limits) ?? {}
  checkLimit(sdk, 'bytes', bytes.byteLength, maxInputBytes)
  const runWith = async (text: string) =>
    await withExchange(bytes, (archive) => confinement.runScript({ text, args: [], timeout }, {}, archive))
  if (maxMembers != null || maxExtractedBytes != null) {
    const counted = await runWith(count)
    check(sdk, 'read', counted)
    const [members = 0, extracted = 0] = counted.output.split(' ').map(Number)
    checkLimit(sdk, 'members', members, maxMembers)
    checkLimit(sdk, 'bytes of files', extracted, maxExtractedBytes)
  }
  check(sdk, 'unpacked', await runWith(unpack))
}

function check(sdk: Sdk['sandbox'], what: string, { status, output, error }: RunResult): void {
  if (status === 'completed') return
  const why = output.trim() || (error?.message ?? status)
  throw new sdk.SandboxArchiveError(`The workspace could not be ${what}: ${why}`, { provider: 'bashward' })
}

function checkLimit(
  sdk: Sdk['sandbox'],
  what: string,
  actual: number,
  limit: number | null | undefined,
): void {
  if (limit == null || actual <= limit) return
  throw new sdk.SandboxArchiveError(`The archive has ${actual} ${what}, and may have ${limit}`, {
    actual,
    limit,
  })
}
