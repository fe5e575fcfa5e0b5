import { expect, it } from 'vitest'
import { createCallOrder } from '#adapters/slack/calls/call-order.ts'

/** One connection, held by a call that ends when it is told; other calls that begin are noted. */
function busy() {
  const order = createCallOrder(1)
  const held = Promise.withResolvers<void>()
  const began: string[] = []
  const calls: Promise<unknown>[] = [order.run('auth.test', {}, () => held.promise)]
  const call = (name: string, method: string, workspace: object = order) =>
    void calls.push(order.run(method, workspace, async () => void began.push(name)))
  return {
    call,
    began,
    free: async () => {
      held.resolve()
      await Promise.all(calls)
    },
  }
}

it('look-ups leave first, then the beginning of an answer, then the rest of others, statuses last', async () => {
  const { call, began, free } = busy()
  call('status', 'agents.sessions.setStatus')
  call('end', 'chat.stopStream')
  call('post', 'chat.postMessage')
  call('start', 'chat.startStream')
  call('channel', 'conversations.info')
  await free()
  expect(began).toEqual(['channel', 'post', 'start', 'end', 'status'])
})

it('of equally urgent calls the workspaces have turns', async () => {
  const { call, began, free } = busy()
  const [one, other] = [{}, {}]
  for (const name of ['a', 'b', 'c']) call(name, 'chat.postMessage', one)
  call('x', 'chat.postMessage', other)
  await free()
  expect(began).toEqual(['a', 'x', 'b', 'c'])
})

it('a call that fails gives its connection to the next', async () => {
  const order = createCallOrder(1)
  const failed = order.run('chat.postMessage', order, () => Promise.reject(new Error('refused')))
  const next = order.run('chat.postMessage', order, async () => 'posted')
  await expect(failed).rejects.toThrow('refused')
  expect(await next).toBe('posted')
})
