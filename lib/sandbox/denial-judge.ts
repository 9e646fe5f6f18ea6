// Names what was refused, from a line, a cause, or the broker's record; and tells what the sandbox has refused from what
// the permissions of files would refuse anyway.

import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SandboxEvents } from '../engine/engine.js'
import type { Told } from './denial.js'
import { workingDirectoryAt } from './denial-directories.js'
import type { Examined } from './denial-lines.js'
import {
  acts,
  attributeOperation,
  brokerOperations,
  type FileOperation,
  operations,
} from './denial-operations.js'
import * as say from './denial-patterns.js'
import { isWithin, type Place, Places } from './denial-places.js'
import { escapeTarget, hostIn, isPlain, pathsIn, processIn, socketIn } from './denial-targets.js'
import * as words from './denial-words.js'
import type { Denial } from './denials.js'

/** What is known of a command that ran confined. */
export interface ConfinedRun extends words.Confinement {
  output: string
  /** Null when it did not run to its end. */
  exitCode: number | null
  command: string
  /** Where it ran. */
  directory: string
  report: SandboxEvents | undefined
  /** Whether a policy may have a directory among its writable ones. Default: none. */
  mayBeWritable?: ((directory: string) => boolean) | undefined
}

export type ExaminedRun = ConfinedRun & Examined

export interface Named {
  denial: Denial
  sentence: string
}

const sharedMemoryDirectory = '/dev/shm'

export class Judge {
  readonly #run: ExaminedRun
  readonly #roots: readonly string[]
  readonly #unreadable: readonly RegExp[]
  #places: Places | undefined

  constructor(run: ExaminedRun) {
    const { writable, scratchDirectory, unreadable } = run.plan
    this.#run = run
    this.#roots = scratchDirectory === '' ? writable : [...writable, scratchDirectory]
    this.#unreadable = unreadable.map(patternOf)
  }

  /** Of what the cause alone tells. */
  named({ cause, line = '' }: Told): Named {
    const { sandbox, plan } = this.#run
    const operation = cause === 'attributes' ? attributeOperation(line) : operations[cause]
    const target = this.#targetOf(cause, line)
    const isGranted = cause === 'sharedMemory' && sandbox !== 'restricted' && !plan.sharedMemory
    return {
      denial: {
        operation,
        target: escapeTarget(target),
        ...(isGranted ? { grant: { sharedMemory: true } } : {}),
        inferred: true,
      },
      sentence: words.sentenceOf(cause, this.#run),
    }
  }

  #targetOf(cause: say.Cause, line: string): string {
    if (cause === 'network') return hostIn(line)
    if (cause === 'sockets') return socketIn(line)
    if (cause === 'signals' || cause === 'processes') return processIn(line)
    return this.#pathsIn(line)[0] ?? ''
  }

  /** What of the broker's record it is: certain. */
  reported({ operation: number, target }: SandboxEvents['denials'][number]): Named {
    const operation = brokerOperations[number] ?? 'chmod'
    const root = this.#roots.find((directory) => isWithin(target, directory))
    const shown = { operation, target: escapeTarget(target) }
    if (root !== undefined) return { denial: shown, sentence: words.refusedBelow(operation, target === root) }
    return {
      denial: { ...shown, ...this.#grantFor(operation, this.#follow(target)) },
      sentence: words.onlyBelow(acts[operation], this.#run),
    }
  }

  /** For `refusedLines`: whether a line is about what cannot be read. */
  readonly isRead = (line: string): 'read' | undefined =>
    this.#unreadable.length > 0 && say.accessDenied.test(line) && this.#unreadablePath(line) !== undefined
      ? 'read'
      : undefined

  read(line: string): Named | undefined {
    const path = this.#unreadablePath(line)
    if (path === undefined) return undefined
    const target = escapeTarget(path)
    return {
      denial: { operation: 'read', target, inferred: true },
      sentence: words.notReadable(target, this.#run),
    }
  }

  #unreadablePath(line: string): string | undefined {
    const isUnreadable = (path: string) => this.#unreadable.some((pattern) => pattern.test(path))
    return this.#pathsIn(line).find((path) => isUnreadable(path) || isUnreadable(this.#follow(path).path))
  }

  /**
   * Where something can be written, a refused file has to be outside of it: within, it was the permissions of the file.
   *
   * @returns undefined for what the sandbox has not refused
   */
  byPath(told: Told): Named | undefined {
    const { cause, line = '' } = told
    const { plan, exitCode } = this.#run
    switch (cause) {
      case 'files':
      case 'hereDocument':
      case 'sort':
        return isOfDevice(line) ? this.#device(line) : this.#write(line)
      case 'attributes':
        return say.fileFlags.test(line) ? this.named(told) : this.#attribute(line)
      case 'sharedMemory':
        return plan.sharedMemory ? undefined : this.named(told)
      case 'devices':
        return this.#pathsIn(line).some((path) => this.#isSharedMemory(path))
          ? this.#write(line)
          : this.named(told)
      case 'other':
        return this.#other(told, exitCode)
      default:
        return this.named(told)
    }
  }

  #write(line: string): Named | undefined {
    // A file system that is mounted so answers before the sandbox is asked.
    if (say.readOnly.test(line)) return undefined
    const paths = this.#pathsIn(line)
    const shared = paths.find((path) => this.#isSharedMemory(path))
    if (shared !== undefined) {
      return this.#run.plan.sharedMemory
        ? undefined
        : this.#inferred('sharedMemory', shared, { grant: { sharedMemory: true } }, 'sharedMemory')
    }
    if (paths.length > 0) return this.#outside('write', line)
    const isLost = say.hereDocumentLost.test(line) || say.unwritable.test(line)
    // Where the command has a directory for it, a temporary file is not what was refused.
    if (isLost && this.#run.plan.scratchDirectory === '') return this.#inferred('write', '', {}, 'files')
    return this.#run.exitCode !== 0 && this.#namesOutside()
      ? this.#inferred('write', '', {}, 'files')
      : undefined
  }

  /** None can be made anywhere. */
  #device(line: string): Named {
    return this.#inferred('devices', this.#pathsIn(line)[0] ?? '', {}, 'devices')
  }

  #outside(operation: FileOperation, line: string): Named | undefined {
    for (const path of this.#pathsIn(line)) {
      const place = this.#follow(path)
      if (this.#roots.some((root) => isWithin(place.path, root))) continue
      // Nothing can be refused in a directory that is not there: it is somebody else's line.
      if (this.#run.exitCode === 0 && !this.#hasParent(place)) continue
      return {
        denial: {
          operation,
          target: escapeTarget(path),
          ...this.#grantFor(operation, place),
          inferred: true,
        },
        sentence: words.onlyBelow(acts[operation], this.#run),
      }
    }
    return undefined
  }

  /** Of what lies within only bits that give privileges are refused: the rest is up to the owner of the file. */
  #attribute(line: string): Named | undefined {
    const operation = attributeOperation(line)
    const outside = this.#outside(operation, line)
    const [path] = this.#pathsIn(line)
    if (outside !== undefined || path === undefined) return outside
    if (operation !== 'chmod' || !say.setsId.test(this.#run.command)) return undefined
    return { denial: { operation, target: escapeTarget(path), inferred: true }, sentence: words.noSetId }
  }

  #hasParent({ path, directory }: Place): boolean {
    return directory === undefined || directory === path || directory === dirname(path)
  }

  /** EPERM of a path within comes from elsewhere, and so does EACCES that names no path. */
  #other(told: Told, exitCode: number | null): Named | undefined {
    const { line = '' } = told
    if (isOfDevice(line)) return this.#device(line)
    const paths = this.#pathsIn(line)
    if (paths.length === 0)
      return say.notPermitted.test(line) && exitCode !== 0 ? this.named(told) : undefined
    const isOutside = (path: string) => !this.#roots.some((root) => isWithin(this.#follow(path).path, root))
    return paths.some(isOutside) ? this.named(told) : undefined
  }

  #inferred(operation: Denial['operation'], target: string, more: Partial<Denial>, cause: say.Cause): Named {
    const denial: Denial = { operation, target: escapeTarget(target), ...more, inferred: true }
    return { denial, sentence: words.sentenceOf(cause, this.#run) }
  }

  #isSharedMemory(path: string): boolean {
    return isWithin(path, sharedMemoryDirectory)
  }

  /** Whether an argument of the command is a path outside of what can be written. */
  #namesOutside(): boolean {
    return (this.#run.calls() ?? []).some(({ rest }) =>
      rest.split(/\s+/).some((word) => {
        if (!/^(?:\/|~\/|\.\.\/)/.test(word) || word.startsWith('/dev/')) return false
        if (word.startsWith('~')) return true
        const { path } = this.#follow(join(word.startsWith('/') ? '/' : this.#run.directory, word))
        return !this.#roots.some((root) => isWithin(path, root))
      }),
    )
  }

  /** The paths of a line, absolute. */
  #pathsIn(line: string): string[] {
    const base = workingDirectoryAt(line, this.#run.directory, this.#run)
    return pathsIn(line).flatMap((path) => {
      if (path.startsWith('/')) return [plain(path)]
      return base === undefined || path.startsWith('~') ? [] : [plain(join(base, path))]
    })
  }

  #follow(path: string): Place {
    if (!path.startsWith('/')) return { path, directory: undefined }
    this.#places ??= new Places([this.#run.directory, ...this.#roots])
    return this.#places.follow(path)
  }

  /** What a policy may not have, and what the user may not write to anyway, is no grant. */
  #grantFor(operation: FileOperation, { path, directory: existing }: Place): Pick<Denial, 'grant'> {
    const { mayBeWritable } = this.#run
    if (existing === undefined || mayBeWritable === undefined) return {}
    // A directory is written to itself; its mode is its parent's business: what is writable keeps its own.
    const directory = existing === path && operation !== 'write' ? dirname(path) : existing
    if (!isPlain(directory) || !canWrite(directory) || !isAllowed(directory, mayBeWritable)) return {}
    return { grant: { writable: [directory] } }
  }
}

function isOfDevice(line: string): boolean {
  return line.startsWith('mknod: ')
}

function plain(path: string): string {
  return join(path).replace(/(?<=.)\/$/, '')
}

/** It looks at the disk, which may have changed meanwhile. */
function isAllowed(directory: string, mayBeWritable: (directory: string) => boolean): boolean {
  try {
    return mayBeWritable(directory)
  } catch {
    return false
  }
}

function canWrite(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Fits a path of the policy and what is below it; its last component may have `*` for any characters. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${escaped}(?:/|$)`)
}
