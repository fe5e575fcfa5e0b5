import { expect, test } from 'vitest'
import type { ChannelModels } from '#bridge/port/channel-models.ts'
import type { ConversationRef } from '#bridge/port/message.ts'
import { createScene, type Scene } from './scene.ts'

function keepModels() {
  const asked: ConversationRef[] = []
  let chosen: string | undefined
  const models: ChannelModels = {
    async choiceIn(conversation) {
      asked.push(conversation)
      return { models: ['small', 'large'], usual: 'small', ...(chosen !== undefined && { chosen }) }
    },
    async chooseIn(conversation, model) {
      asked.push(conversation)
      if (model === 'gone') return false
      chosen = model
      return true
    },
  }
  return { models, asked }
}

const put = ({ browser }: Scene, channel: string, body: object) =>
  browser.send('PUT', `/api/web/channels/${channel}/model`, body)

test('the model of a channel and of all chats is shown and chosen, and taken back', async () => {
  const { models, asked } = keepModels()
  await using scene = await createScene({ models: () => models })
  const shown = await scene.browser.request('/api/web/channels/general/model')
  expect(await shown.json()).toEqual({ models: ['small', 'large'], usual: 'small' })
  expect(await (await put(scene, 'direct', { model: 'large' })).json()).toMatchObject({ chosen: 'large' })
  expect(asked.map(({ channel, direct }) => [channel, direct])).toEqual([
    ['general', false],
    ['direct', true],
    ['direct', true],
  ])
  expect(await (await put(scene, 'direct', { model: null })).json()).not.toHaveProperty('chosen')
  expect((await put(scene, 'direct', { model: 'gone' })).status).toBe(409)
  expect((await put(scene, 'direct', { model: 7 })).status).toBe(400)
  expect((await put(scene, 'nowhere', { model: null })).status).toBe(404)
})

test('a platform that is away is one sentence, and before the start there is no choice', async () => {
  const away: ChannelModels = {
    choiceIn: async () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:443')),
    chooseIn: async () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:443')),
  }
  await using scene = await createScene({ models: () => away })
  const refused = await scene.browser.request('/api/web/channels/direct/model')
  expect(refused.status).toBe(503)
  expect(await refused.text()).not.toContain('ECONNREFUSED')
  await using early = await createScene()
  expect(await (await early.browser.request('/api/web/channels/direct/model')).json()).toMatchObject({ models: [] })
  expect((await put(early, 'direct', { model: 'large' })).status).toBe(404)
})

const full = async () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))

test('a full disk is told as one, not as models that cannot be listed', async () => {
  await using scene = await createScene({ models: () => ({ choiceIn: full, chooseIn: full }) })
  expect(await (await put(scene, 'direct', { model: 'large' })).text()).toContain('no-room')
})

test('nobody without the login, and no other site, sees or chooses a model', async () => {
  const { models, asked } = keepModels()
  await using scene = await createScene({ models: () => models, password: 'a long password' })
  expect((await scene.browser.request('/api/web/channels/direct/model')).status).toBe(401)
  expect((await put(scene, 'direct', { model: 'large' })).status).toBe(401)
  await using open = await createScene({ models: () => models })
  const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
  const foreign = { method: 'PUT', headers, body: '{"model":"large"}' }
  expect((await open.browser.request('/api/web/channels/direct/model', foreign)).status).toBe(403)
  expect(asked).toEqual([])
})
