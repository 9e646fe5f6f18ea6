// The files of a client: what it is told of the server, with what it is told of the model.

/**
 * @param {{ path: string, text: string }[]} configured
 * @param {Record<string, object>} added JSON, by path
 * @returns {Record<string, string>}
 */
export function mergeFiles(configured, added) {
  const files = Object.fromEntries(configured.map(({ path, text }) => [path, text]))
  for (const [path, value] of Object.entries(added)) {
    files[path] = JSON.stringify(merge(files[path] === undefined ? {} : JSON.parse(files[path]), value))
  }
  return files
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const merge = (one, other) => {
  if (!isObject(one) || !isObject(other)) return other
  const merged = { ...one }
  for (const [name, value] of Object.entries(other)) merged[name] = merge(one[name], value)
  return merged
}
