// The shell scripts that this system has and bash accepts.
import { spawnSync } from 'node:child_process'
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Directories, and how deep to look in them. */
const places: Record<string, number> = {
  '/etc': 3,
  '/usr/bin': 1,
  '/usr/sbin': 1,
  '/usr/lib': 2,
  '/usr/share': 2,
}
const maxSize = 400_000
const shebang = /^#! *\/(?:\S*\/)?(?:env +)?(?:ba|da)?sh\b/
const validOnes = 'for f; do bash -n -- "$f" 2>/dev/null && printf "%s\\0" "$f"; done'

/** Their texts by their paths; those with the same text once. */
export function installedScripts(): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [place, depth] of Object.entries(places)) {
    for (const [path, text] of scriptsIn(place, depth)) texts.set(text, path)
  }
  const paths = new Map([...texts].map(([text, path]) => [path, text]))
  const { stdout } = spawnSync('bash', ['--norc', '-c', validOnes, 'bash', ...paths.keys()], {
    encoding: 'utf8',
  })
  const valid = stdout.split('\0').filter((path) => path !== '')
  return new Map(valid.map((path) => [path, paths.get(path) as string]))
}

function* scriptsIn(directory: string, depth: number): Generator<[string, string]> {
  for (const entry of list(directory)) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() && depth > 1) yield* scriptsIn(path, depth - 1)
    const text = entry.isFile() ? read(path) : ''
    if (shebang.test(text)) yield [path, text]
  }
}

function list(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/** What is not UTF-8, or not readable, is not a script here. */
function read(path: string): string {
  try {
    const content = readFileSync(path)
    const isScript = content.length < maxSize && content.subarray(0, 2).toString() === '#!'
    return isScript ? new TextDecoder('utf-8', { fatal: true }).decode(content) : ''
  } catch {
    return ''
  }
}
