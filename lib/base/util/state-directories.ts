// The directories whose files bashward believes, such as those of jobs: no command may write to them.

const most = 1000
const directories = new Set<string>()
let noted = 0

/** @param directory an absolute path. Of very many the oldest are forgotten */
export function noteStateDirectory(directory: string): void {
  // What is below one that is known is its.
  for (const each of directories) if (directory.startsWith(`${each}/`)) return
  if (!directories.has(directory)) ++noted
  directories.add(directory)
  const [oldest] = directories
  if (directories.size > most && oldest !== undefined) directories.delete(oldest)
}

export const stateDirectories = (): readonly string[] => [...directories]

/** Another number whenever there are others. */
export const stateDirectoriesVersion = (): number => noted
