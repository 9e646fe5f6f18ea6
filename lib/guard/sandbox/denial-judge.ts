// Names what was refused, from a line, a cause, or the broker's record; and tells what the sandbox has refused from what
// the permissions of files would refuse anyway.

import { dirname } from 'node:path'
import { isWithin } from '../../base/util/absolute-paths.js'
import type { SandboxEvents } from '../../processes/engine/completion.js'
import type { Told } from './denial.js'
import {
  acts,
  attributeOperation,
  brokerOperations,
  type FileOperation,
  isSocketOperation,
  operations,
} from './denial-operations.js'
import * as say from './denial-patterns.js'
import type { Place } from './denial-places.js'
import { type ExaminedRun, Scope } from './denial-scope.js'
import { escapeTarget, hostIn, processIn, socketIn } from './denial-targets.js'
import * as words from './denial-words.js'
import type { Denial } from './denials.js'
import { grantOfHost, isOfThisMachine, reportedSocket } from './network-denials.js'
import { sharedMemoryDirectory } from './policy.js'

export interface Named {
  denial: Denial
  sentence: string
}

/** Lines that are not looked at where nothing can be written, or mean something else there. */
export type Kind = 'read' | 'link' | 'npm'

export class Judge {
  readonly #run: ExaminedRun
  readonly #scope: Scope

  constructor(run: ExaminedRun) {
    this.#run = run
    this.#scope = new Scope(run)
  }

  /** Of what the cause alone tells. */
  named({ cause, line = '' }: Told): Named {
    const operation = cause === 'attributes' ? attributeOperation(line) : operations[cause]
    const target = this.#targetOf(cause, line)
    return {
      denial: {
        operation,
        target: escapeTarget(target),
        ...this.#grantOf(cause, target),
        inferred: true,
      },
      sentence: words.sentenceOf(cause, this.#run),
    }
  }

  #grantOf(cause: say.Cause, target: string): Pick<Denial, 'grant'> {
    const { sandbox, plan } = this.#run
    if (sandbox === 'restricted') return {}
    if (cause === 'sharedMemory') return plan.sharedMemory ? {} : { grant: { sharedMemory: true } }
    if (cause !== 'network') return {}
    if (isOfThisMachine(target)) return plan.loopback ? {} : { grant: { loopback: true } }
    const grant = grantOfHost(target, this.#run)
    return grant === undefined ? {} : { grant }
  }

  /** Where its own servers can be reached, one that does not answer is no refusal. */
  #network(told: Told): Named | undefined {
    const { line = '' } = told
    const isRefused = say.accessDenied.test(line) || say.notPermitted.test(line)
    return this.#run.plan.loopback && isOfThisMachine(hostIn(line)) && !isRefused
      ? undefined
      : this.named(told)
  }

  /** Of what has failed without a word. */
  silentNetwork(told: Told): Named | undefined {
    const isLocal = /\blocalhost\b|\b127\.\d|\[::1?\]/.test(this.#run.command)
    return this.#run.plan.loopback && isLocal ? undefined : this.named(told)
  }

  #targetOf(cause: say.Cause, line: string): string {
    if (cause === 'network') return hostIn(line)
    if (cause === 'sockets') return socketIn(line)
    if (cause === 'signals' || cause === 'processes') return processIn(line)
    const paths = this.#scope.pathsIn(line)
    // A word such as pseudo-terminal is none.
    return (cause === 'devices' ? paths.find((path) => path.startsWith('/dev/')) : paths[0]) ?? ''
  }

  /** What of the broker's record it is: certain. */
  reported({ operation: number, target }: SandboxEvents['denials'][number]): Named {
    const operation = brokerOperations[number] ?? 'chmod'
    if (isSocketOperation(operation)) return reportedSocket(operation, target, this.#run)
    const root = this.#scope.rootOf(target)
    const shown = { operation, target: escapeTarget(target) }
    if (root !== undefined) return { denial: shown, sentence: words.refusedBelow(operation, target === root) }
    return {
      denial: { ...shown, ...this.#scope.grantFor(this.#scope.follow(target), false) },
      sentence: words.onlyBelow(acts[operation], this.#run),
    }
  }

  /** For `refusedLines`: whether a line is about what cannot be read. */
  readonly isRead = (line: string): 'read' | undefined =>
    say.accessDenied.test(line) && this.#scope.unreadablePath(line) !== undefined ? 'read' : undefined

  /** The same where something can be written; and what else only its path tells from an ordinary failure. */
  readonly kindOf = (line: string): Kind | undefined => {
    if (say.npmRefused.test(line)) return 'npm'
    const isLink = this.#run.exitCode !== 0 && say.crossDevice.test(line) && say.hardLink.test(line)
    return isLink ? 'link' : this.isRead(line)
  }

  special(kind: Kind, line: string): Named | undefined {
    if (kind === 'npm') return this.#outside('write', `'${say.npmPath.exec(this.#run.output)?.[1] ?? ''}'`)
    return kind === 'link' ? this.#link(line) : this.read(line)
  }

  #link(line: string): Named | undefined {
    const path = this.#scope.pathsIn(line).find((each) => this.#scope.isOutside(each))
    if (path === undefined) return undefined
    const denial: Denial = { operation: 'write', target: escapeTarget(path), inferred: true }
    return { denial, sentence: words.noLink(this.#run) }
  }

  read(line: string): Named | undefined {
    const path = this.#scope.unreadablePath(line)
    if (path === undefined) return undefined
    const target = escapeTarget(path)
    return {
      denial: { operation: 'read', target, inferred: true },
      sentence: words.notReadable(target, this.#run),
    }
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
      case 'tac':
        return isOfDevice(line) ? this.#device(line) : this.#write(line)
      case 'attributes':
        return this.#flags(line) ?? this.#attribute(line)
      case 'sharedMemory':
        return plan.sharedMemory ? undefined : this.named(told)
      case 'devices':
        return this.#scope.pathsIn(line).some((path) => this.#isSharedMemory(path))
          ? this.#write(line)
          : this.named(told)
      case 'network':
        return this.#network(told)
      case 'other':
        return this.#other(told, exitCode)
      default:
        return this.named(told)
    }
  }

  #write(line: string): Named | undefined {
    // A file system that is mounted so answers before the sandbox is asked.
    if (say.readOnly.test(line)) return undefined
    const paths = this.#scope.pathsIn(line)
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
    return this.#run.exitCode !== 0 && this.#scope.isOutsideNamed()
      ? this.#inferred('write', '', {}, 'files')
      : undefined
  }

  /** None can be made anywhere. */
  #device(line: string): Named {
    return this.#inferred('devices', this.#scope.pathsIn(line)[0] ?? '', {}, 'devices')
  }

  #outside(operation: FileOperation, line: string): Named | undefined {
    for (const path of this.#scope.pathsIn(line)) {
      const place = this.#scope.follow(path)
      if (this.#scope.rootOf(place.path) !== undefined) continue
      // Nothing can be refused in a directory that is not there: it is somebody else's line.
      if (this.#run.exitCode === 0 && !this.#hasParent(place)) continue
      return {
        denial: {
          operation,
          target: escapeTarget(path),
          ...this.#scope.grantFor(place, operation === 'write'),
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
    const [path] = this.#scope.pathsIn(line)
    if (outside !== undefined || path === undefined) return outside
    if (operation !== 'chmod' || !say.setsId.test(this.#run.command)) return undefined
    return { denial: { operation, target: escapeTarget(path), inferred: true }, sentence: words.noSetId }
  }

  /** None can be changed anywhere. */
  #flags(line: string): Named | undefined {
    const file = say.fileFlags.exec(line)?.[1]
    if (file === undefined) return undefined
    const [target = ''] = this.#scope.pathsIn(`'${file}'`)
    const denial: Denial = { operation: 'setxattr', target: escapeTarget(target), inferred: true }
    return { denial, sentence: words.noFlags(this.#run) }
  }

  #hasParent({ path, directory }: Place): boolean {
    return directory === undefined || directory === path || directory === dirname(path)
  }

  /** EPERM of a path within comes from elsewhere, and so does EACCES that names no path. */
  #other(told: Told, exitCode: number | null): Named | undefined {
    const { line = '' } = told
    if (isOfDevice(line)) return this.#device(line)
    const paths = this.#scope.pathsIn(line)
    if (paths.length === 0)
      return say.notPermitted.test(line) && exitCode !== 0 ? this.named(told) : undefined
    return paths.some((path) => this.#scope.isOutside(path)) ? this.named(told) : undefined
  }

  #inferred(operation: Denial['operation'], target: string, more: Partial<Denial>, cause: say.Cause): Named {
    const denial: Denial = { operation, target: escapeTarget(target), ...more, inferred: true }
    return { denial, sentence: words.sentenceOf(cause, this.#run) }
  }

  #isSharedMemory(path: string): boolean {
    return isWithin(path, sharedMemoryDirectory)
  }
}

function isOfDevice(line: string): boolean {
  return line.startsWith('mknod: ')
}
