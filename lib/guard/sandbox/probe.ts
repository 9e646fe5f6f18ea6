// What Restricted mode and Workspace mode can promise here: asked of the kernel, and each tried out once in a process that
// is thrown away.

import { accessSync, constants as fsConstants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, constants, platform, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, systemError } from '../../base/errors.js'
import { part } from '../../base/util/load-part.js'
import { provenEngine } from '../../processes/engine/choose.js'
import { type Completion, Outcome } from '../../processes/engine/completion.js'
import { readOnlyPlan } from '../../processes/engine/request.js'
import { trialRequest } from '../../processes/engine/self-test.js'
import type * as ProbeWorkspace from './probe-workspace.js'
import { type Protection, protections, protectionsOf } from './protections.js'
import { encodeLimits } from './resource-limits.js'
import { type LandlockState, sandboxSupport, workspaceRefusal } from './support.js'

export interface ProtectionReport {
  name: Protection
  /** Whether it is in force in Restricted mode, as far as it could be tried out; see {@link Protection} for Workspace mode. */
  enforced: boolean
  /** What of the kernel enforces it. */
  mechanisms: string[]
  /** Why it is not. */
  reason?: string
}

export interface SandboxReport {
  /** Whether Restricted mode can be offered. */
  available: boolean
  /** Why not, and what it takes. */
  reason?: string
  /** Such as `'linux'`. */
  platform: string
  /** The kernel's release, such as `'6.12.48'`. */
  kernel: string
  /** Such as `'x64'`. */
  architecture: string
  /** `abi` is 0 where there is no Landlock. */
  landlock: { abi: number; state: LandlockState }
  protections: ProtectionReport[]
  /** Whether commands can be given directories to write to: Workspace mode, and policies with something writable. */
  workspace: WorkspaceReport
}

export interface WorkspaceReport {
  available: boolean
  /** Why not, and what it takes. */
  reason?: string
}

export type RestrictedReport = Omit<SandboxReport, 'workspace'>

let whole: { restricted: RestrictedReport; report: SandboxReport } | undefined

/**
 * What the sandbox can promise on this machine, confirmed by a process that attempts what is to be refused: a write to a
 * file of its own, a signal to the process above it, a socket, …; and by another one that changes the mode of a file in a
 * directory it may write to, and of one outside. Done once for each process.
 * Source: REQ-BASH-009 (docs/requirements.md).
 */
export async function probeSandbox(): Promise<SandboxReport> {
  const restricted = await probeRestricted()
  const workspace = restricted.available ? await probeWorkspace() : without(restricted)
  if (whole?.restricted !== restricted || whole.report.workspace.reason !== workspace.reason) {
    whole = { restricted, report: { ...restricted, workspace } }
  }
  return whole.report
}

/** What there is no Restricted mode for, there is no Workspace mode for. */
function without({ reason = '' }: RestrictedReport): WorkspaceReport {
  return { available: false, reason: workspaceRefusal(sandboxSupport()) ?? reason }
}

let cached: Promise<RestrictedReport> | undefined

/** What Restricted mode can promise. */
export function probeRestricted(): Promise<RestrictedReport> {
  cached ??= probe()
  return cached
}

// Loaded where somebody asks for it: most hosts offer one of the modes.
const trial = part((): typeof ProbeWorkspace => require('./probe-workspace.js'))

/** Whether there is a Workspace mode. */
export async function probeWorkspace(): Promise<WorkspaceReport> {
  return await trial().probeWorkspace()
}

async function probe(): Promise<RestrictedReport> {
  const { abi, state, refusal } = sandboxSupport()
  if (refusal !== undefined) return unavailable(abi, state, refusal)
  try {
    return await tryOut(abi)
  } catch (error) {
    // No more processes, no more descriptors: next time it may be different.
    cached = undefined
    const problem = messageOf(error)
    return unavailable(abi, state, `it could not be tried out: ${problem}`)
  }
}

const tooManyDomains = 'this process is in as many Landlock domains as the kernel allows, which is 16'

/** @throws when what it takes to try it out is not there */
async function tryOut(abi: number): Promise<RestrictedReport> {
  const completion = await withWritableFile(runProbe)
  if (completion.outcome === Outcome.ended) return reportOf(abi, completion)
  const { step = 'start', errno } = completion
  if (step === 'landlock_restrict_self' && errno === constants.errno.E2BIG) throw new Error(tooManyDomains)
  throw systemError('ERR_SANDBOX_SETUP', { step, errno })
}

/** A file that everything but the sandbox would let the probe write to. */
async function withWritableFile<Result>(use: (file: string) => Promise<Result>): Promise<Result> {
  // Its own name: there is nothing to be made on a disk that may be full, or not be there.
  const name = '/proc/self/comm'
  if (isWritable(name)) return await use(name)
  const directory = mkdtempSync(join(tmpdir(), 'bashward-probe-'))
  try {
    const file = join(directory, 'file')
    writeFileSync(file, 'written by the probe of Restricted mode\n')
    return await use(file)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, fsConstants.W_OK)
    return true
  } catch {
    return false
  }
}

async function runProbe(file: string): Promise<Completion> {
  const request = trialRequest({
    shell: '',
    command: file,
    directory: '/',
    limits: encodeLimits({}, 'restricted'),
    confinement: { ...readOnlyPlan, probe: true },
  })
  const { engine } = await provenEngine()
  return await new Promise((resolve) => engine.start(request, resolve))
}

function reportOf(abi: number, completion: Completion): RestrictedReport {
  const promised = new Set(protectionsOf(completion.protections))
  const confirmed = new Set(protectionsOf(completion.confirmed))
  const reports = protections.map((name): ProtectionReport => {
    const enforced = promised.has(name) && confirmed.has(name)
    if (enforced) return { name, enforced, mechanisms: mechanisms[name] }
    return { name, enforced, mechanisms: [], reason: missingReason(name, promised.has(name), abi) }
  })
  const unconfirmed = reports.filter(({ name, enforced }) => !enforced && promised.has(name))
  const machine = { ...thisMachine(abi, 'enabled'), protections: reports }
  if (unconfirmed.length === 0) return { ...machine, available: true }
  const names = unconfirmed.map(({ name }) => name).join(', ')
  return { ...machine, available: false, reason: `the kernel did not enforce what it promised: ${names}` }
}

function missingReason(name: Protection, promised: boolean, abi: number): string {
  if (promised) return 'an attempt that should have been refused was not'
  return name === 'signals'
    ? `needs Landlock ABI 6 (Linux 6.12); this kernel has ABI ${abi}${abi >= 6 ? ' without it' : ''}`
    : 'this kernel does not have it'
}

function unavailable(abi: number, state: LandlockState, reason: string): RestrictedReport {
  return {
    ...thisMachine(abi, state),
    available: false,
    reason,
    protections: protections.map((name) => ({ name, enforced: false, mechanisms: [], reason })),
  }
}

function thisMachine(abi: number, state: LandlockState) {
  return { platform: platform(), kernel: release(), architecture: arch(), landlock: { abi, state } }
}

const mechanisms: Record<Protection, string[]> = {
  filesystem: ['Landlock'],
  metadata: ['seccomp'],
  devices: ['Landlock', 'seccomp'],
  network: ['seccomp'],
  unixSockets: ['seccomp'],
  ipc: ['seccomp'],
  signals: ['Landlock'],
  processes: ['Landlock', 'capabilities', 'seccomp'],
  kernel: ['seccomp'],
  privileges: ['no_new_privs', 'capabilities'],
  resources: ['rlimits'],
}
