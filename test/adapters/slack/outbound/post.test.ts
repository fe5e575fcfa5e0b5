import { describe, expect, test } from 'vitest'
import { askedScene, outgoing } from '../scene.ts'

const references = [{ number: 1, file: 'handbook.pdf', place: 'p.3', passage: 'The ferry takes 47 minutes.' }]

describe('a message', () => {
  test('goes into its thread as markdown, with references, no previews and its send id', async () => {
    const { adapter, slack, conversation, said } = await askedScene()
    const send = outgoing('| a | b |\n|---|---|\n| 1 | 2 |', { references })
    const ref = await adapter.post(conversation, send)
    const [call] = slack.callsOf('chat.postMessage')
    expect(call?.args).toMatchObject({
      thread_ts: said.ts,
      unfurl_links: false,
      unfurl_media: false,
      metadata: { event_payload: { send_id: send.sendId } },
    })
    expect(slack.transcript(conversation.channel).at(-1)).toMatchObject({
      ts: ref.id,
      thread: said.ts,
      body: send.text,
      lines: ['[1] handbook.pdf · p.3'],
    })
  })

  test('that is out is not sent again, nor looked for', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const send = outgoing('once')
    const ref = await adapter.post(conversation, send)
    expect(await adapter.post(conversation, send)).toEqual(ref)
    expect(slack.callsOf('chat.postMessage')).toHaveLength(1)
    expect(slack.callsOf('conversations.replies')).toEqual([])
  })

  test('is edited in place, as a receipt is on its way to ready', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const send = outgoing('ferry.pdf · received', {
      kind: 'receipt',
      actions: [{ id: 'remove', label: 'Remove', value: 'x' }],
    })
    const ref = await adapter.post(conversation, send)
    for (const state of ['uploading', 'indexing', 'ready'])
      await adapter.edit?.(ref, { ...send, text: `ferry.pdf · ${state}` })
    expect(slack.transcript(conversation.channel).slice(1)).toMatchObject([
      { ts: ref.id, body: 'ferry.pdf · ready', edited: true, buttons: [{ label: 'Remove' }] },
    ])
  })

  test('for one person alone is shown to that person', async () => {
    const { adapter, slack, conversation, ada } = await askedScene()
    await adapter.post(conversation, outgoing('Only you see this.', { kind: 'error', privateTo: ada }))
    expect(slack.transcript(conversation.channel).at(-1)).toMatchObject({
      ephemeralTo: ada,
      body: 'Only you see this.',
    })
  })

  test('for one person alone stays private whatever its length, and is shown as usual where Slack shows them nothing', async () => {
    const { adapter, slack, conversation, ada } = await askedScene()
    const outsider = slack.addUser().id
    await adapter.post(conversation, outgoing('not a member', { privateTo: outsider }))
    await adapter.post(conversation, outgoing('long '.repeat(700), { privateTo: ada }))
    const direct = slack.addChannel({ kind: 'im' })
    const { ts: thread } = slack.say({ channel: direct, user: ada, text: 'hi' })
    await adapter.post(
      { ...conversation, channel: direct, thread, direct: true },
      outgoing('in private anyway', { privateTo: ada }),
    )
    const shown = [...slack.transcript(conversation.channel).slice(1), ...slack.transcript(direct).slice(1)]
    expect(shown.map((message) => [message.body.slice(0, 9), message.ephemeralTo])).toEqual([
      ['not a mem', undefined],
      ['long long', ada],
      ['long long', ada],
      ['in privat', undefined],
    ])
  })

  test('of the most bytes goes out with its references, in any script', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const many = Array.from({ length: 10 }, (_, index) => ({
      number: index + 1,
      file: `file-${index}.pdf`,
      place: 'p.1',
      passage: 'passage '.repeat(250),
    }))
    for (const letter of ['a', 'ä', '漢', '🙂']) {
      const text = letter.repeat(Math.floor(adapter.limits.textLength / Buffer.byteLength(letter)))
      await adapter.post(conversation, outgoing(text, { references: many }))
      expect(slack.transcript(conversation.channel).at(-1)?.body).toBe(text)
    }
    expect(slack.calls.filter((call) => call.error !== undefined)).toEqual([])
  })
})

describe('trouble', () => {
  test('in a locked thread nothing is written, and one person is told in the channel, alone', async () => {
    const { adapter, slack, conversation, said, ada } = await askedScene()
    await adapter.post(conversation, outgoing('first'))
    slack.lockThread(conversation.channel, said.ts)
    await expect(adapter.post(conversation, outgoing('second'))).rejects.toMatchObject({ code: 'closed' })
    await adapter.post(conversation, outgoing('The thread is locked.', { kind: 'error', privateTo: ada }))
    const [last, ...others] = slack.transcript(conversation.channel).toReversed()
    expect(last).toMatchObject({ ephemeralTo: ada, body: 'The thread is locked.' })
    expect([last?.thread, others.some(({ body }) => body === 'second')]).toEqual([undefined, false])
  })

  test('a post whose answer was lost is ambiguous, is not repeated, and is found under its send id', async () => {
    const { adapter, slack, conversation, said } = await askedScene()
    const send = outgoing('once')
    slack.script('chat.postMessage', { drop: 'after' })
    await expect(adapter.post(conversation, send)).rejects.toMatchObject({ name: 'AdapterError', code: 'ambiguous' })
    expect(slack.callsOf('chat.postMessage')).toHaveLength(1)
    const shown = slack.transcript(conversation.channel).at(-1)
    expect(await adapter.find(conversation, { sendId: send.sendId, after: said.ts, known: [] })).toEqual({
      conversation,
      id: shown?.ts,
    })
    expect(await adapter.post(conversation, send)).toEqual({ conversation, id: shown?.ts })
    expect(slack.transcript(conversation.channel)).toHaveLength(2)
  })

  test('a post that never got through is sent by the next try', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const send = outgoing('once')
    slack.script('chat.postMessage', { drop: 'before' })
    await expect(adapter.post(conversation, send)).rejects.toMatchObject({ code: 'ambiguous' })
    await adapter.post(conversation, send)
    expect(
      slack
        .transcript(conversation.channel)
        .map((message) => message.body)
        .slice(1),
    ).toEqual(['once'])
  })

  test('a request that hangs ends as ambiguous', async () => {
    const { adapter, slack, conversation } = await askedScene({ timeoutMs: 1500 })
    slack.script('chat.postMessage', { hang: true })
    await expect(adapter.post(conversation, outgoing('x'))).rejects.toMatchObject({ code: 'ambiguous' })
  })

  test('a service out of reach is told as such, after some tries', async () => {
    const { adapter, slack, conversation } = await askedScene()
    await slack.close()
    await expect(adapter.post(conversation, outgoing('x'))).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('SLACK_API_URL'),
    })
  })

  test('a stop ends the waiting for a rate limit', async () => {
    const { adapter, slack, conversation } = await askedScene()
    slack.script('chat.postMessage', { status: 429, retryAfter: 50 })
    const post = adapter.post(conversation, outgoing('x'))
    await slack.until(() => slack.callsOf('chat.postMessage').some((call) => call.status === 429))
    await Promise.all([
      expect(post).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 50_000 }),
      adapter.stop(),
    ])
  })

  test('an edit is asked for again until it is through', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const send = outgoing('one')
    const ref = await adapter.post(conversation, send)
    slack.script('chat.update', { drop: 'after' }, { status: 503, body: 'upstream', type: 'text/html' })
    await adapter.edit?.(ref, { ...send, text: 'two' })
    expect(slack.transcript(conversation.channel).at(-1)?.body).toBe('two')
    expect(slack.callsOf('chat.update')).toHaveLength(3)
  })

  test('a rate limit of one call holds up no other', async () => {
    const { adapter, slack, conversation } = await askedScene()
    const ref = await adapter.post(conversation, outgoing('one'))
    slack.script('chat.update', { status: 429, retryAfter: 1 })
    const order: string[] = []
    await Promise.all([
      adapter.edit?.(ref, outgoing('later')).then(() => order.push('edit')),
      adapter.post(conversation, outgoing('at once')).then(() => order.push('post')),
    ])
    expect(order).toEqual(['post', 'edit'])
    expect(
      slack
        .transcript(conversation.channel)
        .map((message) => message.body)
        .slice(1),
    ).toEqual(['later', 'at once'])
  })

  test('a rate limit too long to wait out is told with its time', async () => {
    const { adapter, slack, conversation } = await askedScene()
    slack.script('chat.postMessage', { status: 429, retryAfter: 90 })
    await expect(adapter.post(conversation, outgoing('x'))).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfterMs: 90_000,
    })
  })

  test.each([
    [{ error: 'missing_scope', extra: { needed: 'chat:write' } }, 'forbidden', /scope chat:write/],
    [{ error: 'not_in_channel' }, 'forbidden', /Invite the app/],
    [{ error: 'channel_not_found' }, 'not-found', /member of the channel/],
    [{ error: 'token_revoked' }, 'unauthorized', /SLACK_BOT_TOKEN/],
    [{ error: 'msg_too_long' }, 'too-long', /Split/],
    [{ error: 'something_new' }, 'invalid', /something_new/],
    [{ error: 'fatal_error' }, 'ambiguous', /look before/],
    [{ status: 502, body: '<html>bad gateway</html>', type: 'text/html' }, 'ambiguous', /HTTP 502/],
    [{ status: 200, body: '<html>captive portal</html>', type: 'text/html' }, 'ambiguous', /not understood/],
    [{ status: 429 }, 'rate-limited', /limits chat.postMessage/],
  ] as const)('%j is told as %s', async (fault, code, sentence) => {
    const { adapter, slack, conversation } = await askedScene({ maxRateLimitWaitMs: 0 })
    slack.script('chat.postMessage', fault)
    await expect(adapter.post(conversation, outgoing('x'))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(sentence),
    })
  })

  test('a thread that is gone is not found', async () => {
    const { adapter, conversation } = await askedScene()
    await expect(adapter.post({ ...conversation, thread: '1.1' }, outgoing('x'))).rejects.toMatchObject({
      code: 'not-found',
    })
  })
})
