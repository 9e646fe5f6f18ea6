// The names of the files of saveOutput. By themselves, as every host knows them and few remove such a file.

import { randomHex } from '../../base/util/lazy.js'

/** A name that nobody can guess: the file is created only if it does not exist. */
export const savedOutputName = (): string => `bashward-output-${randomHex(8)}.log`

export const isSavedOutput = (name: string): boolean => /^bashward-output-[0-9a-f]{16}\.log$/.test(name)
