import { createEngine } from '#platform/engine/engine.ts'

// Run as a process of its own: starts an index pass over 700 files, tells when it is under way, and is killed then.

const quiet = () => undefined
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const engine = await createEngine({ dataDir: process.argv[2] ?? '', log })
const key = await engine.identify(engine.firstKey.key)
if (key === undefined) throw new Error('the first key is not known')
await engine.collections.create(key.user, 'notes')
// The last file takes long: the pass is not over when it is told of.
const long = Array.from(
  { length: 6000 },
  (_, at) => `# Hour ${at}\n\n${`Nothing happened in hour ${at}. `.repeat(8)}\n`,
)
for (let index = 0; index < 700; index += 1) {
  const text = `# Day ${index}\n\nThe word of day ${index} is walrus${index}.\n${index === 699 ? long.join('') : ''}`
  const bytes = new TextEncoder().encode(text)
  await engine.files.upload(key.user, 'notes', { name: `${index}.md`, content: await engine.files.receive([bytes]) })
}
const pass = engine.collections.generateIndex(key.user, 'notes')
let indexed = 0
while (indexed < 20) {
  await new Promise((resolve) => setImmediate(resolve))
  const files = await engine.files.list(key.user, 'notes')
  indexed = files.filter((file) => file.index_info?.index_status === 'INDEXED').length
}
process.send?.(indexed)
// As it is at this moment, it is killed.
process.kill(process.pid, 'SIGSTOP')
await pass
