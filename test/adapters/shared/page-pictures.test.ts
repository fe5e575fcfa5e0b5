import { expect, test } from 'vitest'
import { createPagePictures } from '#adapters/shared/page-pictures.ts'
import { createLogSink } from '#test/support/fakes/log.ts'

/** Pictures that are drawn when the test says so; page 13 cannot be. */
function draws() {
  let now = 0
  const begun: { readonly page: number; readonly end: () => void }[] = []
  const pictures = createPagePictures(
    async (_, { page }) => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      begun.push({ page, end: () => resolve(undefined) })
      await promise
      if (page === 13) throw new Error('It has no such page.')
      return new Uint8Array([page])
    },
    createLogSink(),
    () => now,
  )
  const listed: number[] = []
  const ask = (page: number, signal = new AbortController().signal) =>
    pictures
      .of({
        page,
        quote: '',
        async find() {
          listed.push(page)
          return 'handbook'
        },
        open: async () => new Blob(['%PDF-1.7']),
        signal,
      })
      .then(
        (bytes) => bytes[0],
        ({ why }: { why: string }) => (why === 'busy' ? -503 : -404),
      )
  const pages = () => begun.map(({ page }) => page)
  return { ask, begun, pages, listed, pass: (ms: number) => (now += ms) }
}

test('four pages are drawn at once, others wait, and who has left is passed over', async () => {
  const { ask, begun, pages } = draws()
  const gone = new AbortController()
  const asked = [1, 2, 3, 4].map((page) => ask(page)).concat(ask(5, gone.signal), ask(6))
  await expect.poll(pages).toEqual([1, 2, 3, 4])
  gone.abort()
  begun[0]?.end()
  await expect.poll(pages).toEqual([1, 2, 3, 4, 6])
  for (const { end } of begun) end()
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, -503, 6])
})

test('of very many requests, those above the bound are refused before the files are listed', async () => {
  const { ask, begun, listed, pages } = draws()
  const asked = Array.from({ length: 20 }, (_, index) => ask(index < 16 ? 7 : 8))
  expect(await Promise.all(asked.slice(16))).toEqual([-503, -503, -503, -503])
  await expect.poll(pages).toEqual([7])
  begun[0]?.end()
  expect(await Promise.all(asked.slice(0, 16))).toEqual(Array.from({ length: 16 }, () => 7))
  expect(listed).toHaveLength(16)
})

test('a page that could not be drawn is not tried again for some minutes', async () => {
  const { ask, begun, pages, pass } = draws()
  const first = ask(13)
  await expect.poll(pages).toEqual([13])
  begun[0]?.end()
  expect([await first, await ask(13)]).toEqual([-404, -404])
  expect(pages()).toEqual([13])
  pass(600_000)
  const again = ask(13)
  await expect.poll(pages).toEqual([13, 13])
  begun[1]?.end()
  expect(await again).toBe(-404)
})
