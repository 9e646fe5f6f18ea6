// The workspace as a tar archive, and back: made and unpacked by tar in the sandbox of the session, so that no link in the
// workspace and no name in an archive leads anywhere that commands could not go.

import { constants } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxArchiveLimits, WorkspaceArchiveData } from '@openai/agents/sandbox'
import type { RunResult } from '../../run/build-result.js'
import type { Confinement } from './confinement.js'
import type { Sdk } from './sdk.js'

const timeout = 3_600_000

/** Status 1 of GNU tar: a file changed while it was read. */
const pack = `archive=$1; shift
tar -cf "$archive" "$@" .
status=$?
[ "$status" -le 1 ]`

const unpack = `find . -mindepth 1 -delete && tar -xpf "$1" --no-same-owner`

/** Members, and bytes of all files. */
const count = `set -o pipefail
tar -tvf "$1" | awk '{ members++; bytes += $3 } END { printf "%d %.0f\\n", members, bytes }'`

/**
 * @param leftOut paths below the workspace
 * @throws {SandboxArchiveError}
 */
export async function archiveOf(
  sdk: Sdk['sandbox'],
  confinement: Confinement,
  leftOut: Iterable<string>,
): Promise<Uint8Array> {
  return await confinement.withExchange(async (directory) => {
    const file = join(directory, 'archive')
    const names = [...leftOut].map((path) => `--exclude=./${path}`)
    const options = names.length === 0 ? [] : ['--anchored', '--no-wildcards', ...names]
    const script = { text: pack, args: [file, ...options], timeout }
    check(sdk, 'packed', await confinement.runScript(script, { writable: [directory] }))
    const archive = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      return await archive.readFile()
    } finally {
      await archive.close()
    }
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
  await confinement.withExchange(async (directory) => {
    const file = join(directory, 'archive')
    await writeFile(file, bytes)
    if (maxMembers != null || maxExtractedBytes != null) {
      const counted = await confinement.runScript({ text: count, args: [file], timeout })
      check(sdk, 'read', counted)
      const [members = 0, extracted = 0] = counted.output.split(' ').map(Number)
      checkLimit(sdk, 'members', members, maxMembers)
      checkLimit(sdk, 'bytes of files', extracted, maxExtractedBytes)
    }
    check(sdk, 'unpacked', await confinement.runScript({ text: unpack, args: [file], timeout }))
  })
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
