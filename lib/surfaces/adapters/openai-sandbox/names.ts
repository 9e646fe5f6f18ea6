// The name by which a model knows the workspace. A session may go on in another process, for which the SDK wants the root of
// its manifest to be the same: a workspace that is made anew has a name of its own on the disk, and `/workspace` there. In
// commands and their output the one stands for the other, as the SDK's own local client has it.

import { isWithin } from '../../../base/util/absolute-paths.js'

export class WorkspaceNames {
  readonly #root: string
  readonly #directory: string
  readonly #inCommands: RegExp

  /**
   * @param root of the manifest
   * @param directory the workspace, by its real name
   */
  constructor(root: string, directory: string) {
    this.#root = root
    this.#directory = directory
    const name = root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    this.#inCommands = new RegExp(`(?<=^|[\\s"'\`=<>(:;&|])${name}(?=$|[/\\s"'\`=<>():;&|])`, 'g')
  }

  /** A command as bash gets it. */
  command(text: string): string {
    return this.#root === this.#directory ? text : text.replace(this.#inCommands, () => this.#directory)
  }

  /** Output as the model reads it. */
  output(text: string): string {
    return this.#root === this.#directory ? text : text.replaceAll(this.#directory, this.#root)
  }

  /** A path as the SDK reads it, which may have been found on the disk. */
  path(path: string): string {
    return isWithin(path, this.#directory) ? this.#root + path.slice(this.#directory.length) : path
  }
}
