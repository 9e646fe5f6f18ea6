// The clients themselves, in the cache.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bashward-clients')

/**
 * Installs what is not there yet, without running scripts of its packages.
 *
 * @param {string} name
 * @param {Record<string, string>} packages with their versions
 * @returns {string} the path of node_modules
 */
export function install(name, packages) {
  const place = join(cache, `${name}-${Object.values(packages).join('-')}`)
  const modules = join(place, 'node_modules')
  if (existsSync(modules)) return modules
  mkdirSync(cache, { recursive: true })
  // Aside and renamed: nobody sees an installation that was interrupted.
  const draft = mkdtempSync(`${place}.`)
  try {
    writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
    const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund']
    const { status, stderr } = spawnSync('npm', words, {
      cwd: draft,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`npm install of ${name} failed:\n${stderr}`)
    if (!existsSync(place)) renameSync(draft, place)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return modules
}
