// Loads one module and prints what that took: `node load.cjs require|import FILE`. Nothing else is loaded before.

const [kind, file] = process.argv.slice(2)

async function load() {
  if (kind === 'import') await import(file)
  else require(file)
}

const rssBefore = process.memoryUsage.rss()
const begun = performance.now()
load().then(() => {
  const load = performance.now() - begun
  const rss = (process.memoryUsage.rss() - rssBefore) / 2 ** 20
  process.stdout.write(JSON.stringify({ load, rss }))
})
