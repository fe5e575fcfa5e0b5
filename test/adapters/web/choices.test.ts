import { expect, test } from 'vitest'
import type { Action } from '#bridge/port/message.ts'
import { createScene, outgoing, type Scene } from './scene.ts'

const edit: Action = { id: 'edit', label: 'Edit', value: '1', prompt: { title: 'Edit', label: 'Words' } }
const go: Action = { id: 'go', label: 'Go', value: '1' }

async function ask(scene: Scene) {
  const said = await scene.browser.say('general', { text: '@footbridge how long?' })
  return { said, conversation: scene.receiver.message().conversation }
}

const press = (scene: Scene, message: string, body: object) =>
  scene.browser.send('POST', `/api/web/messages/${message}/actions`, { id: crypto.randomUUID(), ...body })

test('only a button that asks for a text brings one', async () => {
  await using scene = await createScene()
  const { conversation } = await ask(scene)
  const { id } = await scene.adapter.post(conversation, outgoing('x', { actions: [edit, go] }))
  expect((await press(scene, id, { action: 'edit', value: '1' })).status).toBe(400)
  expect((await press(scene, id, { action: 'go', value: '1', text: 'x' })).status).toBe(400)
  expect((await press(scene, id, { action: 'edit', value: '1', text: 'x' })).status).toBe(204)
  const actions = scene.receiver.inbounds.filter(({ kind }) => kind === 'action')
  expect(actions).toMatchObject([{ action: { id: 'edit', value: '1', text: 'x' } }])
})

test('a mark is taken with the language of the person, and a message that is gone cannot be marked', async () => {
  await using scene = await createScene()
  const { said } = await ask(scene)
  const pin = (message: string, language = 'de-CH') =>
    scene.browser.request(`/api/web/messages/${message}/pin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ id: crypto.randomUUID(), name: 'Ada' }),
    })
  expect((await pin(said.id)).status).toBe(204)
  expect(scene.receiver.inbounds.at(-1)).toMatchObject({
    kind: 'pin',
    messageId: said.id,
    author: { id: 'person', name: 'Ada', language: 'de-CH' },
  })
  expect((await pin('gone')).status).toBe(404)
})

test('a file that is handed out is kept over a restart, and goes with its message', async () => {
  await using scene = await createScene()
  const { conversation } = await ask(scene)
  const file = { name: 'a.md', mimeType: 'text/markdown', bytes: new Blob(['47 minutes']) }
  const ref = await scene.adapter.upload?.(conversation, file, outgoing('Here'))
  await scene.restart()
  const { messages } = await scene.browser.history('general')
  const [attachment] = messages.find(({ id }) => id === ref?.id)?.attachments ?? []
  const get = () => scene.browser.request(`/api/web/files/${attachment?.id}`)
  expect(await (await get()).text()).toBe('47 minutes')
  if (ref !== undefined) await scene.adapter.remove(ref)
  expect((await get()).status).toBe(404)
})

test.each([
  ['see #harbour.', ['harbour']],
  ['#Harbour, #harbour and #general', ['harbour', 'general']],
  ['issue#harbour, a/#harbour, ##harbour', []],
  ['#nowhere #1', []],
])('%s names %j', async (text, names) => {
  await using scene = await createScene()
  await scene.browser.createChannel('harbour')
  await scene.browser.say('direct', { text })
  expect(scene.receiver.message().channels?.map(({ name }) => name) ?? []).toEqual(names)
})

test('a permalink leads to where a browser came last, while no outside address is set', async () => {
  await using scene = await createScene()
  const { conversation } = await ask(scene)
  const ref = await scene.adapter.post(conversation, outgoing('x'))
  expect(await scene.adapter.permalink(ref)).toBe(`http://127.0.0.1:3000/#general/${ref.id}`)
  const strange = await scene.adapter.fetch(
    new Request('http://evil.example/api/web/state', { headers: { host: 'evil.example' } }),
  )
  expect(strange.ok).toBe(false)
  expect(await scene.adapter.permalink(ref)).toBe(`http://127.0.0.1:3000/#general/${ref.id}`)
})
