import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { bodyOf, cameBy } from '#lib/request-body.ts'

const post = () => new Request('http://127.0.0.1/', { method: 'POST', body: 'as it is' })

it('a body comes in the memory into which it was read, without a copy', async () => {
  const [request, message] = [post(), new PassThrough()]
  cameBy(request, message)
  const piece = Buffer.allocUnsafeSlow(1000)
  message.end(piece)
  const read = await bodyOf(request)?.getReader().read()
  expect(read?.value?.buffer).toBe(piece.buffer)
})

it('a body that is given up leaves its connection open', async () => {
  const [request, message] = [post(), new PassThrough()]
  cameBy(request, message)
  message.write('a piece')
  const reader = bodyOf(request)?.getReader()
  await reader?.read()
  const pending = reader?.read()
  await reader?.cancel()
  expect(await pending).toMatchObject({ done: true })
  expect(message.destroyed).toBe(false)
})

it('a body that breaks off fails, and a request of no connection has its own', async () => {
  const [request, message] = [post(), new PassThrough()]
  cameBy(request, message)
  const reading = bodyOf(request)?.getReader().read()
  message.destroy(new Error('aborted'))
  await expect(reading).rejects.toThrow('aborted')
  expect(await new Response(bodyOf(post())).text()).toBe('as it is')
})
