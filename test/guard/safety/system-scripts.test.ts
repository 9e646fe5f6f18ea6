// The scripts of this system, which people have written to do their work: read without a fault, and hardly any refused.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkCommand } from '../../../lib/index.js'

const directories = ['/usr/bin', '/usr/sbin', '/etc', '/etc/init.d', '/usr/share/bash-completion/completions']
const enough = 400
const maxBytes = 256 * 1024

const firstBytes = (path: string): string => {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(64)
    return bytes.toString('latin1', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

const isScript = (path: string): boolean => {
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > maxBytes) return false
    return path.includes('completion') || /^#! *\S*(?:\/| )(?:ba|da)?sh\b/.test(firstBytes(path))
  } catch {
    return false
  }
}

const list = (directory: string): string[] => {
  try {
    return readdirSync(directory).map((name) => join(directory, name))
  } catch {
    return []
  }
}

const isBash = (path: string): boolean =>
  spawnSync('bash', ['-n', path], { stdio: 'ignore', timeout: 10_000 }).status === 0

test('of the scripts that bash accepts none is a fault, and not one in a hundred is refused', async () => {
  const scripts = directories.flatMap(list).filter(isScript).slice(0, enough).filter(isBash)
  const refused: string[] = []
  for (const script of scripts) {
    const { rule, match } = await checkCommand(readFileSync(script, 'utf8'), { workingDir: '/tmp' })
    if (rule !== null) refused.push(`${script}: ${rule}: ${match.text}`)
  }

  if (refused.length > scripts.length / 100) throw new Error(`of ${scripts.length}:\n${refused.join('\n')}`)
}, 240_000)
