import { expect, test } from 'vitest'
import type { Inbound, Message } from '#bridge/port/message.ts'
import { connectStub } from '#test/doubles/slack/people.ts'
import type { Scene } from '../scene.ts'
import added from '#test/reports/chat/slack-edit-adds-mention.json' with { type: 'json' }
import { setScene } from '../scene.ts'
import { inLong } from '#test/support/forms.ts'

async function started() {
  const scene = await setScene()
  await scene.adapter.start(scene.receive)
  return scene
}

/** Events that reached the bridge, once all of Slack's are acknowledged. */
async function arrived({ slack, inbounds }: Scene): Promise<Inbound[]> {
  await slack.until(() => slack.envelopes.every((envelope) => envelope.ackedAt !== undefined), 'all acknowledgements')
  return inbounds
}

const messagesOf = (inbounds: readonly Inbound[]): Message[] =>
  inbounds.flatMap((one) => (one.kind === 'message' ? [one.message] : []))

test('a mention is told twice under one key, the first provisional, the second whole', async () => {
  const scene = await started()
  const said = scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'how long?', mention: true })
  await said.acked
  const key = `slack:${scene.slack.teamId}:${scene.channel}:${said.ts}`
  expect(scene.inbounds).toMatchObject([
    { kind: 'message', key, provisional: true },
    { kind: 'message', key },
  ])
  expect(scene.inbounds[1]).toEqual({
    kind: 'message',
    key,
    message: {
      id: said.ts,
      conversation: {
        adapter: 'slack',
        workspace: scene.slack.teamId,
        channel: scene.channel,
        thread: said.ts,
        direct: false,
      },
      author: { id: scene.ada, name: 'Ada', language: 'de-DE', timeZone: 'Europe/Berlin' },
      text: 'how long?',
      addressed: true,
      mentionsOthers: false,
      attachments: [],
      sentAt: new Date(Math.floor(Number(said.ts) * 1000)).toISOString(),
    },
  })
})

test('in either order and three times over, a mention has one key', async () => {
  const scene = await started()
  const said = scene.slack.say({
    channel: scene.channel,
    user: scene.ada,
    text: 'how long?',
    mention: true,
    order: 'message-first',
    times: 3,
  })
  await said.acked
  expect(scene.inbounds).toHaveLength(6)
  expect(new Set(scene.inbounds.map((one) => one.key)).size).toBe(1)
})

test('what is sent again after no acknowledgement has the same key', async () => {
  const scene = await started()
  const said = scene.slack.say({
    channel: scene.channel,
    user: scene.ada,
    text: 'psst',
    mention: true,
    order: 'message-only',
  })
  await said.acked
  const [envelope] = said.envelopes
  if (envelope !== undefined) scene.slack.resend(envelope)
  await scene.slack.until(() => scene.inbounds.length === 2)
  expect(scene.inbounds[1]?.key).toBe(scene.inbounds[0]?.key)
  expect(envelope?.attempts).toBe(2)
})

test('a message in a thread belongs to the thread and is not addressed', async () => {
  const scene = await started()
  const root = scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'a question' })
  const reply = scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'and back?', thread: root.ts })
  await reply.acked
  expect(messagesOf(await arrived(scene))[1]).toMatchObject({
    id: reply.ts,
    addressed: false,
    conversation: { thread: root.ts },
  })
})

test('a group message is a channel of its own: it waits for a mention, and is read by nobody else', async () => {
  const scene = await started()
  const group = scene.slack.addChannel({ kind: 'mpim', name: 'mpdm-ada--ben-1' })
  await scene.slack.say({ channel: group, user: scene.ada, text: 'lunch?' }).acked
  await scene.slack.say({ channel: group, user: scene.ada, text: 'when?', mention: true }).acked
  const said = messagesOf(await arrived(scene))
  expect(said.map(({ addressed, conversation }) => [addressed, conversation.direct])).toEqual([
    [false, false],
    [true, false],
    [true, false],
  ])
  const conversation = { adapter: 'slack', workspace: scene.slack.teamId, channel: group, direct: false }
  expect(await scene.adapter.describeChannel(conversation)).toMatchObject({ isPublic: false })
})

test('a direct message is addressed, and is the root of its own thread', async () => {
  const scene = await started()
  const said = scene.slack.say({ channel: scene.direct, user: scene.ada, text: 'hello' })
  await said.acked
  expect(messagesOf(scene.inbounds)[0]).toMatchObject({
    addressed: true,
    conversation: { direct: true, thread: said.ts },
  })
})

test('names in the text are those of the people meant', async () => {
  const scene = await started()
  const grace = scene.slack.addUser({ name: 'Grace' }).id
  const said = scene.slack.say({ channel: scene.channel, user: scene.ada, text: `<@${grace}> says *47* &amp; more` })
  await said.acked
  expect(messagesOf(scene.inbounds)[0]).toMatchObject({
    text: '@Grace says **47** & more',
    mentionsOthers: true,
    addressed: false,
  })
})

test('a dropped file and a voice clip arrive with their kinds; a thread reply shown in the channel arrives too', async () => {
  const scene = await started()
  const files = [scene.slack.hostFile('%PDF', 'ferry.pdf', 'application/pdf'), scene.slack.hostVoice('sound')]
  await scene.slack.say({ channel: scene.channel, user: scene.ada, files }).acked
  await scene.slack.say({
    channel: scene.channel,
    user: scene.ada,
    text: 'to all',
    fields: { subtype: 'thread_broadcast' },
  }).acked
  const [drop, broadcast] = messagesOf(scene.inbounds)
  expect(drop?.attachments).toMatchObject([
    { name: 'ferry.pdf', kind: 'document', sizeBytes: 4 },
    { name: 'audio_message.m4a', kind: 'voice', mimeType: 'audio/mp4', durationMs: 3200 },
  ])
  expect(JSON.stringify(drop)).not.toContain(scene.slack.botToken)
  expect(broadcast?.text).toBe('to all')
})

test('a file of a shared channel, told by its id alone, is looked up', async () => {
  const scene = await started()
  const clip = scene.slack.hostVoice('sound')
  await scene.slack.say({ channel: scene.channel, user: scene.ada, files: [connectStub(clip)] }).acked
  expect(messagesOf(scene.inbounds)[0]?.attachments).toMatchObject([
    { id: clip.id, kind: 'voice', name: 'audio_message.m4a' },
  ])
})

test('a file that cannot be looked up is handed on all the same, and a deleted one is left out', async () => {
  const scene = await started()
  const file = scene.slack.hostFile('x', 'x.md', 'text/markdown')
  scene.slack.script('files.info', { error: 'missing_scope', extra: { needed: 'files:read' } })
  await scene.slack.say({
    channel: scene.channel,
    user: scene.ada,
    files: [connectStub(file), { ...file, mode: 'tombstone' }],
  }).acked
  const [attachment] = messagesOf(scene.inbounds)[0]?.attachments ?? []
  expect(attachment).toMatchObject({
    id: file.id,
    kind: 'document',
    refused: { message: expect.stringContaining('files:read') as string },
  })
})

test('a name that Slack does not tell in time is the id', inLong, async () => {
  const scene = await started()
  scene.slack.script('users.info', { hang: true })
  await scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'hello' }).acked
  expect(messagesOf(scene.inbounds)[0]?.author).toEqual({ id: scene.ada, name: scene.ada })
})

test('a message that was passed on is quoted with its author, a preview is not', async () => {
  const scene = await started()
  const attachments = [
    { is_share: true, author_name: 'Grace', text: 'It takes *47*\nminutes.' },
    { from_url: 'https://a.example', text: 'preview' },
    { is_share: true, text: '' },
  ]
  await scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'is this so?', fields: { attachments } }).acked
  expect(messagesOf(scene.inbounds)[0]?.text).toBe('is this so?\n\n> Grace: It takes **47**\n> minutes.')
})

test('the talk of programs, our own account and housekeeping are none of our business', async () => {
  const scene = await started()
  const { slack, channel, ada } = scene
  const bot = slack.addUser({ bot: true }).id
  const event = { type: 'message', channel, channel_type: 'channel', ts: '1.1', event_ts: '1.1', text: 'x' }
  for (const fields of [
    { subtype: 'bot_message', bot_id: 'B9' },
    { user: bot, bot_id: 'B9' },
    { user: bot, bot_profile: { id: 'B9' } },
    { user: 'U0NOBODY', bot_id: 'B9' },
    { user: bot, bot_id: 'B9', text: `<@${ada}> x` },
    // Of this app in the name of another company's installation.
    { user: bot, bot_id: 'B8', app_id: slack.workspace.appId, text: `<@${slack.botUserId}> x` },
    { bot_id: slack.workspace.botId, text: `<@${slack.botUserId}> x` },
    { user: slack.botUserId },
    { user: 'USLACKBOT' },
    { user: ada, subtype: 'channel_join' },
    { user: ada, subtype: 'pinned_item' },
    {
      subtype: 'message_changed',
      message: { user: slack.botUserId, bot_id: 'B0BOT', ts: '1.1', text: 'b' },
      previous_message: { user: slack.botUserId, text: 'a' },
    },
    {
      subtype: 'message_deleted',
      deleted_ts: '1.1',
      previous_message: { user: slack.botUserId, bot_id: 'B0BOT', ts: '1.1' },
    },
  ]) {
    slack.sendEvent({ ...event, ...fields })
  }
  expect(await arrived(scene)).toEqual([])
})

test('a person who writes through an app is a person', async () => {
  const scene = await started()
  const { slack, channel, ada } = scene
  const kept = { bot_id: 'B9', app_id: 'A9', bot_profile: { id: 'B9', name: 'Relay' } }
  await slack.say({ channel, user: ada, text: 'how long is the ferry?', mention: true, kept }).acked
  const [message] = messagesOf(scene.inbounds)
  expect(message).toMatchObject({ addressed: true, author: { id: ada, name: 'Ada' } })
  expect(message?.author).not.toHaveProperty('programIds')
})

test('a mention and a file of a program come with its ids, its edits never, and its deletions do', async () => {
  const scene = await started()
  const { slack, channel } = scene
  const user = slack.addUser({ name: 'Deploy', bot: true }).id
  const kept = { bot_id: 'B9', app_id: 'A9', bot_profile: { id: 'B9', app_id: 'A9' } }
  const asked = slack.say({ channel, user, text: 'which ferry?', mention: true, kept })
  await asked.acked
  const author = { id: user, name: 'Deploy', programIds: ['B9', 'A9'] }
  expect(messagesOf(scene.inbounds)[0]).toMatchObject({ addressed: true, text: 'which ferry?', author })
  const files = [slack.hostFile('# Build', 'build.md', 'text/markdown')]
  const dropped = slack.say({ channel, user, files, kept })
  await dropped.acked
  expect(messagesOf(scene.inbounds).at(-1)).toMatchObject({ attachments: [{ name: 'build.md' }], author })
  scene.inbounds.length = 0
  await slack.editMessage(channel, asked.ts, `<@${slack.botUserId}> which pier?`, 'changed-first').acked
  await slack.deleteMessage(channel, dropped.ts).acked
  expect(scene.inbounds).toMatchObject([{ kind: 'delete', messageId: dropped.ts }])
})

test('our own streamed answer does not come back as an edit', async () => {
  const scene = await started()
  const said = scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'hi', mention: true })
  await said.acked
  const conversation = messagesOf(scene.inbounds)[0]?.conversation
  if (conversation === undefined) throw new Error('nothing arrived')
  const first = { sendId: 's', kind: 'answer', text: 'It' } as const
  const stream = await scene.adapter.stream?.(conversation, first, { id: scene.ada, name: 'Ada' })
  await stream?.finish({ ...first, text: 'It is.' })
  expect((await arrived(scene)).map((one) => one.kind)).toEqual(['message', 'message'])
  expect(scene.slack.envelopes.some((envelope) => envelope.echo)).toBe(true)
})

test('an edit of words is an edit with a key of its own; a preview added by Slack is none', async () => {
  const scene = await started()
  const said = scene.slack.say({ channel: scene.channel, user: scene.ada, text: 'how long?', order: 'message-only' })
  await said.acked
  scene.slack.editMessage(scene.channel, said.ts, 'how long?')
  scene.slack.editMessage(scene.channel, said.ts, 'how far?')
  scene.slack.editMessage(scene.channel, said.ts, 'how far, really?')
  const edits = (await arrived(scene)).filter((one) => one.kind === 'edit')
  expect(edits.map((one) => one.message.text)).toEqual(['how far?', 'how far, really?'])
  expect(edits[0]?.message.id).toBe(said.ts)
  expect(new Set([...edits.map((one) => one.key), scene.inbounds[0]?.key]).size).toBe(3)
})

test('a deletion names the message and its thread, also where a tombstone stays', async () => {
  const scene = await started()
  const { slack, channel, ada } = scene
  const root = slack.say({ channel, user: ada, text: 'root' })
  const reply = slack.say({ channel, user: ada, text: 'reply', thread: root.ts })
  await reply.acked
  slack.deleteMessage(channel, reply.ts)
  slack.sendEvent({
    type: 'message',
    subtype: 'message_changed',
    channel,
    message: { subtype: 'tombstone', text: 'This message was deleted.', ts: root.ts, user: 'USLACKBOT' },
    previous_message: { user: ada, text: 'root', ts: root.ts, thread_ts: root.ts },
  })
  const deletes = (await arrived(scene)).filter((one) => one.kind === 'delete')
  expect(deletes).toMatchObject([
    { messageId: reply.ts, conversation: { thread: root.ts } },
    { messageId: root.ts, conversation: { thread: root.ts } },
  ])
})

test('a deleted file is told by its id, and by what its message has still', async () => {
  const scene = await started()
  const { slack, channel, ada } = scene
  const files = ['a.md', 'b.md'].map((name) => slack.hostFile(name, name, 'text/markdown'))
  const said = slack.say({ channel, user: ada, text: 'two files', files })
  await said.acked
  const [first, second] = files
  slack.editMessage(channel, said.ts, 'two files')
  slack.deleteFile(channel, said.ts, first?.id ?? '')
  const all = await arrived(scene)
  expect(all.filter(({ kind }) => kind === 'file-gone' || kind === 'files-left')).toEqual([
    {
      kind: 'file-gone',
      key: `slack:${slack.teamId}:file:${first?.id}:deleted`,
      adapter: 'slack',
      workspace: slack.teamId,
      attachmentId: first?.id,
    },
    expect.objectContaining({ kind: 'files-left', messageId: said.ts, left: [second?.id] }),
  ])
  expect(all.filter(({ kind }) => kind === 'edit')).toEqual([])
  expect(messagesOf(all)[0]?.attachments.map(({ id }) => id)).toContain(first?.id)
})

test.each(['changed-first', 'mention-first'] as const)(
  'an edit that adds the mention is one event (%s)',
  async (order) => {
    const [before, changed] = added.events
    const scene = await started()
    const words = (text = '') => text.replace('UBOT', scene.slack.botUserId)
    const said = scene.slack.say({ channel: scene.channel, user: scene.ada, text: words(before?.text) })
    scene.slack.editMessage(scene.channel, said.ts, words(changed?.message?.text), order)
    const edits = (await arrived(scene)).filter(({ kind }) => kind === 'edit')
    expect(edits).toHaveLength(2)
    expect(new Set(edits.map(({ key }) => key)).size).toBe(1)
    for (const edit of edits)
      expect(edit).toMatchObject({ message: { id: said.ts, addressed: true, text: 'what is a capstan?' } })
    // Nothing is waited for: no richer twin of an edit follows.
    expect(edits.some((edit) => 'provisional' in edit)).toBe(false)
  },
)
