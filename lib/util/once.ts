/** What `load` gives, asked once. Even of a module that is loaded, require() takes as long as the rest of a small call. */
export function once<Value>(load: () => Value): () => Value {
  let loaded: { value: Value } | undefined
  return () => {
    loaded ??= { value: load() }
    return loaded.value
  }
}
