import { expect, test } from 'vitest'
import { createTyping } from '#adapters/discord/outbound/status.ts'
import type { Rest } from '#adapters/discord/rest.ts'
import { eventually } from '#test/support/eventually.ts'

test('typing is shown at once, and again only while no requests of answers wait', async () => {
  let signs = 0
  let looked = 0
  let isBusy = true
  const rest: Pick<Rest, 'post' | 'isBusy'> = {
    post: async () => void (signs += 1) as never,
    isBusy: () => {
      looked += 1
      return isBusy
    },
  }
  const typing = createTyping(rest, 2)
  const asked = { adapter: 'discord', workspace: 'w', channel: 'c', direct: false }
  const done = new AbortController()
  await typing.show(asked, done.signal)
  await eventually(() => looked > 2)
  expect(signs).toBe(1)
  isBusy = false
  await eventually(() => signs > 2)
  done.abort()
})
