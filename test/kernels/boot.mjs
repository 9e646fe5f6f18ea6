// Boots one guest and waits for its end, or ends it.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { RowFailure } from './failure.mjs'
import { addModules } from './guest-image.mjs'
import { modulesOf } from './kernel-modules.mjs'
import { hasKvm, qemuCommand } from './qemu.mjs'
import { parseReports } from './reports.mjs'
import { uidOf } from './rows.mjs'

const lastLines = (text, count) =>
  text
    .replaceAll(/\x1b\[[\d;]*[A-Za-z]|\r/g, '')
    .trim()
    .split('\n')
    .slice(-count)
    .join(' | ')

const runProgram = ([program, ...args], limitMs) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    let timedOut = false
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, limitMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      reject(new RowFailure('noTool', error.message))
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stderr, timedOut })
    })
  })

/**
 * Boots a guest.
 *
 * @param {{ row: import('./rows.mjs').Row, user: import('./rows.mjs').User, kernel: string, image: string,
 *   controls: boolean, tables: import('./reports.mjs').Table[], logs: string, limitMs: number }} boot logs: the directory where the console and the reports stay
 * @returns what the guest reported
 * @throws {RowFailure}
 */
export const boot = async ({ row, user, kernel, image, controls, tables, logs, limitMs }) => {
  mkdirSync(logs, { recursive: true })
  const log = (kind) => join(logs, `${row.name}-${user}.${kind}`)
  const guest = { row, uid: uidOf(user), controls, tables }
  const own = log(`initrd-${process.pid}`)
  addModules(image, modulesOf(kernel), own)
  const command = qemuCommand(guest, {
    kernel,
    image: own,
    imageBytes: statSync(own).size,
    kvm: hasKvm(row.architecture),
    console: log('console'),
    report: log('report'),
  })
  const { code, stderr, timedOut } = await runProgram(command, limitMs).finally(() => rmSync(own))
  const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const reports = parseReports(read(log('report')))
  if (reports.ended) return reports
  const console = lastLines(`${stderr}\n${read(log('console'))}`, 3)
  if (timedOut) throw new RowFailure('timeLimit', `not done after ${limitMs / 1000} s: ${console}`)
  throw new RowFailure('noResult', `the guest ended (${code}) before it was done: ${console}`)
}
