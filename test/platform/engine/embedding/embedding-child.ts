import type { EmbedCall } from '#platform/engine/embedding/child.ts'

// A stand-in for the process of the embedding model: it follows the first text.
process.on('message', ({ id, texts }: EmbedCall & { readonly id: number }) => {
  const how = texts[0] ?? ''
  const answer = () => process.send?.({ id, result: texts.map(() => new Float32Array([1])) })
  if (how === 'crash') process.kill(process.pid, 'SIGSEGV')
  else if (how === 'slow') setTimeout(answer, 50)
  else if (how === 'echo') answer()
})
