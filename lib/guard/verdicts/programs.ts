// Where the programs are that the table of read-only forms is about.

const directories = ['', '/bin/', '/usr/bin/', '/usr/local/bin/']

/** @param directory as it is written, with its slash; empty where PATH is searched */
export const isUsualDirectory = (directory: string): boolean => directories.includes(directory)
