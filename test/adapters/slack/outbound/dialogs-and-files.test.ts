import { describe, expect, test } from 'vitest'
import { toMrkdwn } from '#adapters/slack/outbound/markup.ts'
import type { Action } from '#bridge/port/message.ts'
import { askedScene, outgoing } from '../scene.ts'

const edit: Action = {
  id: 'edit',
  label: 'Edit',
  value: 'offer:1',
  prompt: { title: 'What was really said in this memo?', label: 'Words', prefill: 'message' },
}

describe('a dialog', () => {
  test('opens while an event of the same channel still waits for a look-up', async () => {
    const { adapter, slack, conversation, ada, channel } = await askedScene()
    const ref = await adapter.post(conversation, outgoing('how long?', { actions: [edit] }))
    const { promise, resolve } = Promise.withResolvers<void>()
    slack.script('users.info', { until: promise })
    const other = slack.addUser({ name: 'Bob' }).id
    slack.say({ channel, user: other, text: 'slow', order: 'message-only' })
    slack.pressButton({ channel, user: ada, button: 'Edit', ts: ref.id })
    const { view } = await slack.until(() => slack.dialog(ada), 'the dialog')
    resolve()
    expect(view).toMatchObject({
      title: { text: 'What was really said in…' },
      submit: { text: 'Senden' },
      blocks: [{ element: { initial_value: 'how long?' } }],
    })
  })

  test('its text comes with the language of who typed it, also after a restart, and once', async () => {
    const { adapter, make, receive, slack, conversation, ada, channel, inbounds } = await askedScene()
    const ref = await adapter.post(conversation, outgoing('how long?', { actions: [edit] }))
    slack.pressButton({ channel, user: ada, button: 'Edit', ts: ref.id })
    await slack.until(() => slack.dialog(ada), 'the dialog')
    await adapter.stop()
    await make().start(receive)
    const envelope = slack.submitDialog(ada, 'how far?')
    await envelope.acked
    slack.resend(envelope)
    await slack.until(() => inbounds.filter(({ kind }) => kind === 'action').length === 2)
    const actions = inbounds.filter((inbound) => inbound.kind === 'action')
    expect(actions[0]).toMatchObject({
      author: { id: ada, language: 'de-DE' },
      messageId: ref.id,
      conversation,
      action: { id: 'edit', value: 'offer:1', text: 'how far?' },
    })
    expect(new Set(actions.map(({ key }) => key)).size).toBe(1)
    expect(envelope.ackPayload ?? {}).toEqual({})
  })

  test('that asks for a reason has boxes, and takes ticks without words', async () => {
    const { adapter, slack, conversation, ada, channel, inbounds } = await askedScene()
    const prompt = { title: 'What was wrong?', label: 'If you like', reasons: true } as const
    const ref = await adapter.post(conversation, outgoing('At nine.', { actions: [{ ...edit, prompt }] }))
    slack.pressButton({ channel, user: ada, button: 'Edit', ts: ref.id })
    const { view } = await slack.until(() => slack.dialog(ada), 'the dialog')
    expect(view['blocks']).toMatchObject([
      { optional: true, label: { text: 'Was trifft zu?' }, element: { type: 'checkboxes' } },
      { optional: true, label: { text: 'If you like' } },
    ])
    await slack.submitDialog(ada, '', ['wrong source', 'incomplete']).acked
    expect(inbounds.at(-1)).toMatchObject({ action: { text: 'incomplete, wrong source' } })
  })

  test('that Slack refuses is not called a success', async () => {
    const { adapter, slack, conversation, ada, channel, inbounds } = await askedScene()
    const ref = await adapter.post(conversation, outgoing('x', { actions: [edit] }))
    slack.script('views.open', { error: 'expired_trigger_id' })
    const envelope = slack.pressButton({ channel, user: ada, button: 'Edit', ts: ref.id })
    await slack.until(() => slack.callsOf('views.open').length === 1)
    await slack.say({ channel, user: ada, text: 'next', order: 'message-only' }).acked
    expect(envelope.ackedAt).toBeUndefined()
    expect(inbounds.filter(({ kind }) => kind === 'action')).toEqual([])
  })
})

describe('a message for one person', () => {
  test('stands in the thread once it has a reply, before that in the channel, where it is seen', async () => {
    const { adapter, slack, conversation, ada, channel } = await askedScene()
    await adapter.post(conversation, outgoing('first', { privateTo: ada }))
    await adapter.post(conversation, outgoing('an answer'))
    await adapter.post(conversation, outgoing('second', { privateTo: ada }))
    const shown = slack.transcript(channel).filter(({ own }) => own)
    expect(shown.map(({ body, thread }) => [body, thread])).toEqual([
      ['first', undefined],
      ['an answer', conversation.thread],
      ['second', conversation.thread],
    ])
  })

  test('is replaced where it stands by a press in it, and below it where Slack takes that no more', async () => {
    const { adapter, slack, conversation, ada, channel, inbounds } = await askedScene()
    const actions = [{ id: 'forget', label: 'Forget it', value: '1' }]
    const ref = await adapter.post(conversation, outgoing('Forget it?', { privateTo: ada, actions }))
    await slack.pressButton({ channel, user: ada, button: 'Forget it' }).acked
    const pressed = inbounds.at(-1)
    const ticket = pressed?.kind === 'action' ? pressed.ticket : undefined
    const shown = () =>
      slack.transcript(channel).flatMap(({ own, text, ephemeralTo }) => (own ? [[text, ephemeralTo]] : []))
    await adapter.edit?.(ref, outgoing('It is forgotten.', { privateTo: ada, ticket }))
    expect(shown()).toEqual([['It is forgotten.', ada]])
    slack.workspace.responses.clear()
    await adapter.edit?.(ref, outgoing('Really.', { privateTo: ada, ticket }))
    expect(shown()).toEqual([
      ['It is forgotten.', ada],
      ['Really.', ada],
    ])
  })
})

test('a button of a message for one person acts in the thread that it belongs to, and a dialog too', async () => {
  const { adapter, slack, conversation, ada, channel, inbounds } = await askedScene()
  const actions = [edit, { id: 'go', label: 'Go', value: '1' }]
  await adapter.post(conversation, outgoing('for you', { privateTo: ada, actions }))
  await slack.pressButton({ channel, user: ada, button: 'Go' }).acked
  expect(inbounds.at(-1)).toMatchObject({ kind: 'action', conversation })
  slack.pressButton({ channel, user: ada, button: 'Edit' })
  const { view } = await slack.until(() => slack.dialog(ada), 'the dialog')
  expect(view).not.toHaveProperty('blocks.0.element.initial_value')
  await slack.submitDialog(ada, 'words').acked
  expect(inbounds.at(-1)).toMatchObject({ kind: 'action', conversation, action: { text: 'words' } })
})

describe('a file that is handed out', () => {
  const file = { name: '../Zeiten\n.md', mimeType: 'text/markdown', bytes: new Blob(['47 minutes']) }

  test('goes up without our token, and stands in the thread under a plain name', async () => {
    const { adapter, slack, conversation, ada } = await askedScene()
    const send = outgoing('**Here** [it](https://x.example) is <!here>', { notify: [ada] })
    const ref = await adapter.upload?.(conversation, file, send)
    const [shown] = slack.transcript(conversation.channel).filter(({ own }) => own)
    expect(shown).toMatchObject({ ts: ref?.id, thread: conversation.thread, notifies: [ada] })
    expect(shown?.files).toEqual(['.._Zeiten_.md'])
    expect(shown?.body).toContain('*Here* it (https://x.example) is')
    const [sent] = slack.calls.filter(({ method }) => method.startsWith('upload:'))
    expect(sent?.args).toEqual({ authorization: undefined })
  })

  test('whose last answer was lost is shown once', async () => {
    const { adapter, slack, conversation } = await askedScene()
    slack.script('files.completeUploadExternal', { drop: 'after' })
    const send = outgoing('Here')
    await expect(adapter.upload?.(conversation, file, send)).rejects.toMatchObject({ code: 'ambiguous' })
    const ref = await adapter.upload?.(conversation, file, send)
    const shown = slack.transcript(conversation.channel).filter(({ own }) => own)
    expect(shown.map(({ ts }) => ts)).toEqual([ref?.id])
  })

  test('is sent to no address that is not a host of Slack', async () => {
    const { adapter, slack, conversation } = await askedScene({ fileHosts: [] })
    await expect(adapter.upload?.(conversation, file, outgoing('Here'))).rejects.toMatchObject({ code: 'invalid' })
    expect(slack.calls.filter(({ method }) => method.startsWith('upload:'))).toEqual([])
  })

  test.each([
    ['**a** and ~~b~~', '*a* and ~b~'],
    ['*i* and **b**', '_i_ and *b*'],
    ['**b***i*', '*b*\u200B_i_'],
    ['*i***b**', '_i_\u200B*b*'],
    ['***both***', '*_both_*'],
    ['Haupt**bahnhof**', 'Haupt\u200B*bahnhof*'],
    ['2*3*4 and * one', '2*3*4 and * one'],
    ['# Head\nx', '*Head*\nx'],
    ['a < b & c', 'a &lt; b &amp; c'],
  ])('%j beside it is %j', (markdown, mrkdwn) => {
    expect(toMrkdwn(markdown)).toBe(mrkdwn)
  })
})

describe('a mark with 📌', () => {
  test('on a reply stands in the thread of that reply', async () => {
    const { slack, adapter, conversation, ada, channel, inbounds } = await askedScene()
    const ref = await adapter.post(conversation, outgoing('47 minutes'))
    await slack.react({ channel, ts: ref.id, user: ada }).acked
    expect(inbounds.at(-1)).toMatchObject({ kind: 'pin', conversation, messageId: ref.id })
  })

  test('of which the thread is not told in time still arrives', async () => {
    const { slack, said, ada, channel, inbounds } = await askedScene()
    slack.script('conversations.replies', { status: 429, retryAfter: 60 })
    const envelope = slack.react({ channel, ts: said.ts, user: ada })
    await envelope.acked
    slack.resend(envelope)
    await slack.until(() => inbounds.filter(({ kind }) => kind === 'pin').length === 2)
    const pins = inbounds.filter((inbound) => inbound.kind === 'pin')
    expect(new Set(pins.map(({ key }) => key)).size).toBe(1)
    expect(pins[0]?.conversation.thread).toBe(said.ts)
  })
})
