import { expect, test } from 'vitest'
import type { WebSearch } from '#adapters/web/protocol.ts'
import { createScene } from './scene.ts'

const PATH = '/api/web/meaning'
const ON: WebSearch = { by: 'meaning', model: 'small', state: 'preparing', percent: 0, downloaded: 0, isChosen: true }

test('search by meaning is switched on the page', async () => {
  let search: WebSearch = { by: 'words', offeredMegabytes: 135 }
  await using scene = await createScene({
    search: () => search,
    chooseMeaning: async (on) => void (search = on ? ON : { by: 'words', offeredMegabytes: 135 }),
  })
  const { send, request } = scene.browser
  expect(await (await send('PUT', PATH, { on: true })).json()).toEqual(ON)
  expect(await (await request('/api/web/state')).json()).toMatchObject({ search: ON })
  expect(await (await send('PUT', PATH, { on: false })).json()).toEqual({ by: 'words', offeredMegabytes: 135 })
  expect((await send('PUT', PATH, { on: 'yes' })).status).toBe(400)
})

test('where a setting rules, the switch is refused in a sentence', async () => {
  const search: WebSearch = { by: 'meaning', model: 'small', state: 'ready', percent: 100 }
  let switched = 0
  await using scene = await createScene({ search: () => search, chooseMeaning: async () => void (switched += 1) })
  const refused = await scene.browser.send('PUT', PATH, { on: false })
  expect([refused.status, switched]).toEqual([409, 0])
  expect(await refused.text()).toContain('EMBEDDING_MODEL')
})

test('a platform elsewhere has no switch', async () => {
  await using scene = await createScene()
  expect((await scene.browser.send('PUT', PATH, { on: true })).status).toBe(404)
})
