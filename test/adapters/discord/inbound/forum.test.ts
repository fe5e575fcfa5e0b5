import { expect, test } from 'vitest'
import type { Message } from '#bridge/port/message.ts'
import { open, openDouble } from '../harness.ts'

test('a forum post comes with its title and tags, in the channel of the forum', async () => {
  const discord = await openDouble()
  const { nextMessage } = await open(discord)
  const forum = discord.addPlace('help', 'forum', ['ferry', 'solved'])
  const post = discord.post(forum, 'When does it leave?', { text: 'I stand at the pier.', tags: ['ferry'] })
  expect(await nextMessage()).toMatchObject({
    id: post,
    conversation: { channel: forum, thread: post },
    text: 'When does it leave? (ferry)\n\nI stand at the pier.',
  })
  discord.say({ channel: post, text: 'Hello?' })
  expect(await nextMessage('Hello?')).toMatchObject({ conversation: { channel: forum, thread: post } })
})

test('a post is marked as solved once, where its forum has a tag for that, and not any more when that is taken back', async () => {
  const discord = await openDouble()
  const { adapter, nextMessage } = await open(discord)
  const forum = discord.addPlace('help', 'forum', ['ferry', 'Solved'])
  const post = discord.post(forum, 'When?', { tags: ['ferry'] })
  const solve = ({ conversation, id }: Message, isSet = true) => adapter.mark({ conversation, id }, 'solved', isSet)
  const asked = await nextMessage()
  await adapter.mark({ conversation: asked.conversation, id: asked.id }, 'seen', true)
  await solve(asked)
  await discord.until(() => discord.tagsOf(post).length === 2)
  expect(discord.tagsOf(post)).toEqual(['Solved', 'ferry'])
  await solve(asked, false)
  await solve(asked, false)
  await discord.until(() => discord.tagsOf(post).length === 1)
  expect(discord.tagsOf(post)).toEqual(['ferry'])
  const plain = discord.addPlace('talk', 'forum', [])
  discord.post(plain, 'Why?', {})
  await solve(await nextMessage('Why?'))
  expect(discord.callsTo('PATCH /channels/:channel')).toHaveLength(2)
})

test('stages and posts of media channels are left alone', async () => {
  const discord = await openDouble()
  const { inbounds, nextMessage } = await open(discord)
  const stage = discord.addPlace('stage', 'stage')
  const media = discord.addPlace('pictures', 'media')
  discord.say({ channel: stage, text: 'question', mention: true })
  discord.post(media, 'picture', { text: 'question', mention: true })
  discord.say({ text: 'now' })
  await nextMessage('now')
  expect(inbounds).toHaveLength(1)
})
