import type { LocalCall } from '#platform/engine/voice/local/child.ts'

// A stand-in for the process of the speech model: it follows the name of its model.
process.on('message', ({ id, model, pcm }: LocalCall & { readonly id: number }) => {
  if (model === 'hang') return
  if (model === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (model === 'broken') process.send?.({ id, failure: 'no-model', reason: 'bad magic' })
  if (model === 'absent') process.send?.({ id, failure: 'no-package', reason: 'not found' })
  if (model === 'echo') process.send?.({ id, result: { text: `${pcm} by ${process.pid}`, segments: [] } })
})
