// Names that belong to the session in which a command runs. Their values and functions hold what only the shell itself may know.

const own = /__bashward|BASH_EXECUTION_STRING/
/** bash leaves these out of a word, or joins what they part. */
const quoting = /\\\n|['"\\]/g

export const mentionsSession = (text: string): boolean => own.test(text.replace(quoting, ''))
