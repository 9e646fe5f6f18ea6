// Whether this Node can run the package. Said before anything is used that an older one does not have.

/** `engines.node` of package.json. */
export const neededNode = '^20.19.0 || >=22.12.0'

type Versions = { node: string; bun?: string; deno?: string }

/**
 * @param versions default: those of this process
 * @returns what is wrong, or undefined
 */
export function nodeProblem({ node, bun, deno }: Versions = process.versions): string | undefined {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  // Bun and Deno name a Node, too: it says nothing of what they can do.
  const isEnough = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
  if (isEnough || bun !== undefined || deno !== undefined) return undefined
  return `bashward needs Node ${neededNode}, this is ${node}`
}
