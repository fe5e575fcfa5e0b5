import { describe, expect, test } from 'vitest'
import { open, openDouble, outgoing } from '../harness.ts'

const create = 'POST /channels/:channel/messages'
const patch = 'PATCH /channels/:channel/messages/:message'

const buttons = (count: number) =>
  Array.from({ length: count }, (_entry, index) => ({ id: 'a', label: `B${index}`, value: `${index}` }))

const references = (count: number) =>
  Array.from({ length: count }, (_entry, index) => ({
    number: index + 1,
    file: `report-${index + 1}.pdf`,
    place: `p.${index + 1}`,
    passage: `Passage number ${index + 1} says something that is worth quoting. `.repeat(6),
  }))

describe('post', () => {
  test('an answer is a quiet reply: no ping, no preview, a nonce that counts', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const question = discord.say({ text: 'hi', mention: true })
    const message = outgoing('see https://example.org', { replyTo: question.id })
    await adapter.post(general, message)
    expect(discord.callsTo(create)[0]?.body).toEqual({
      content: 'see https://example.org',
      nonce: message.sendId,
      enforce_nonce: true,
      flags: 4,
      allowed_mentions: { parse: [], replied_user: false },
      message_reference: { message_id: question.id, fail_if_not_exists: false },
    })
    expect(discord.transcript(discord.channel).at(-1)).toMatchObject({ replyTo: question.id })
    expect(discord.pings).toEqual([])
  })

  test('an answer to a question that was deleted is shown all the same', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const question = discord.say({ text: 'hi', mention: true })
    discord.remove(question.id)
    await adapter.post(general, outgoing('still here', { replyTo: question.id }))
    expect(discord.transcript(discord.channel).map(({ text }) => text)).toEqual(['still here'])
  })

  test('502 after the message was made, and the message stands once', async () => {
    const { discord, adapter, general } = await open(await openDouble(), { times: { retriesMs: [5, 5] } })
    discord.script(create, { kind: 'status', status: 502, afterCommit: true, times: 2 })
    const ref = await adapter.post(general, outgoing('once'))
    expect(discord.callsTo(create)).toHaveLength(3)
    expect(discord.transcript(discord.channel).map(({ id }) => id)).toEqual([ref.id])
  })

  test('@everyone and codes from a model neither ring nor turn into mentions', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const words = `@everyone <@${discord.userId('ana')}> <@&${discord.botRoleId}>`
    const ref = await adapter.post(general, outgoing(words))
    expect(discord.transcript(discord.channel)[0]?.text).not.toMatch(/@everyone|<@/)
    await adapter.edit(ref, outgoing(`${words} again`))
    expect(discord.transcript(discord.channel)[0]?.text).toMatch(/again$/)
    expect(discord.transcript(discord.channel)[0]?.text).not.toMatch(/@everyone|<@/)
    expect(discord.pings).toEqual([])
    const [edit] = discord.callsTo('PATCH /channels/:channel/messages/:message')
    expect(edit?.body).toMatchObject({ allowed_mentions: { parse: [], replied_user: false } })
  })

  test('an answer that grows lets final edits of other messages pass, with its button too', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const [one, other, done] = [outgoing('one'), outgoing('other'), outgoing('done')]
    const refs = [
      await adapter.post(general, one),
      await adapter.post(general, other),
      await adapter.post(general, done),
    ]
    const growing = { text: 'more', actions: buttons(1), isGrowing: true } as const
    const [first, second, third] = refs
    if (first === undefined || second === undefined || third === undefined) throw new Error('Nothing was posted.')
    await Promise.all([
      adapter.edit(first, { ...one, ...growing }),
      adapter.edit(second, { ...other, ...growing }),
      adapter.edit(third, { ...done, references: references(1) }),
    ])
    expect(discord.callsTo(patch).map(({ path }) => path.split('/').at(-1))).toEqual([first.id, third.id, second.id])
  })

  test('without a visible character something is shown', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    await adapter.post(general, outgoing('![](https://example.org/x.png)'))
    expect(discord.transcript(discord.channel)[0]?.text).toBe('…')
  })

  test('a send id longer than a nonce is refused before anything is sent', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const call = adapter.post(general, { ...outgoing('x'), sendId: 'x'.repeat(26) })
    await expect(call).rejects.toMatchObject({ code: 'invalid' })
    expect(discord.callsTo(create)).toHaveLength(0)
  })
})

describe('references', () => {
  test('references that fit stand under the text, one line each', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    await adapter.post(general, outgoing('Four weeks [1].', { references: references(1) }))
    const [shown] = discord.transcript(discord.channel)
    expect(shown?.text).toMatch(/^Four weeks \[1\]\.\n\n-# \[1\] \*\*report-1\.pdf\*\*, p\.1: “Passage number 1 .*…”$/)
  })

  test('references that do not fit follow in messages of their own, and the text is whole', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const text = 'word '.repeat(380).trim()
    const ref = await adapter.post(general, outgoing(text, { references: references(20) }))
    const shown = discord.transcript(discord.channel)
    expect(shown[0]?.text).toBe(text)
    expect(shown.slice(1).every(({ replyTo }) => replyTo === ref.id)).toBe(true)
    const following = shown
      .slice(1)
      .map((entry) => entry.text)
      .join('\n')
    for (const { file } of references(20)) expect(following).toContain(`**${file}**`)
    expect(shown.every((entry) => entry.text.length <= 2000)).toBe(true)
    expect(shown.length).toBeGreaterThan(2)
  })

  test('the last edit of an answer brings references that do not fit, and doing it again changes nothing', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const first = outgoing('word '.repeat(100))
    const ref = await adapter.post(general, first)
    const last = { ...first, text: 'word '.repeat(390), references: references(5) }
    await adapter.edit(ref, last)
    await adapter.edit(ref, last)
    const shown = discord.transcript(discord.channel)
    expect(shown).toHaveLength(2)
    expect(shown[1]).toMatchObject({ replyTo: ref.id })
    expect(discord.callsTo(patch)).toHaveLength(1)
  })

  test('an answer written anew after a restart rewrites the message that carries its references', async () => {
    const discord = await openDouble()
    const before = await open(discord)
    const long = outgoing('word '.repeat(390), { references: references(5) })
    const ref = await before.adapter.post(before.general, long)
    await before.adapter.stop()

    const { adapter } = await open(discord)
    const [one, two] = references(2)
    if (one === undefined || two === undefined) throw new Error('no references')
    await adapter.edit(ref, { ...long, references: [{ ...one, file: 'other.pdf' }, ...references(5).slice(1)] })
    const shown = discord.transcript(discord.channel)
    expect(shown).toHaveLength(2)
    expect(shown[1]?.text).toContain('other.pdf')

    await adapter.edit(ref, { ...long, text: 'short', references: [two] })
    expect(discord.transcript(discord.channel).map(({ id }) => id)).toEqual([ref.id])
  })

  test('removing an answer removes what follows it and nothing else, also after a restart', async () => {
    const discord = await openDouble()
    const before = await open(discord)
    const long = outgoing('word '.repeat(390), { references: references(12) })
    const ref = await before.adapter.post(before.general, long)
    expect(discord.transcript(discord.channel).length).toBeGreaterThan(1)
    const other = await before.adapter.post(before.general, outgoing('another answer', { replyTo: ref.id }))
    await before.adapter.stop()
    const { adapter } = await open(discord)
    await adapter.remove(ref)
    expect(discord.transcript(discord.channel).map(({ id }) => id)).toEqual([other.id])
  })

  test('words of a file name and of a passage make no markup', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const odd = { number: 1, file: 'a_b_*c*.md', passage: '@everyone **loud** `code` <@1>\n\nnext' }
    await adapter.post(general, outgoing('x', { references: [odd] }))
    expect(discord.transcript(discord.channel)[0]?.text).toContain('**a\\_b\\_\\*c\\*.md**')
    expect(discord.transcript(discord.channel)[0]?.text).toContain('\\*\\*loud\\*\\* \\`code\\`')
    expect(discord.pings).toEqual([])
  })
})

describe('buttons', () => {
  test('buttons stand in rows of at most five, alike, and go when the message is edited without them', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const ref = await adapter.post(general, outgoing('choose', { actions: buttons(7) }))
    expect(discord.transcript(discord.channel)[0]?.buttons).toEqual(buttons(7).map(({ label }) => label))
    const [call] = discord.callsTo(create)
    expect(call?.body).toMatchObject({
      components: [{ components: buttons(4).map(({ label }) => ({ label })) }, { components: [{}, {}, {}] }],
    })
    await adapter.edit(ref, outgoing('chosen'))
    expect(discord.transcript(discord.channel)[0]?.buttons).toEqual([])
  })

  test('a panel takes passages of 2,000 characters, however many bytes they have', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const passages = Array.from({ length: 25 }, (_, at) => `**[${at + 1}] 渡船.md**\n${'渡'.repeat(62)}`).join('\n\n')
    await adapter.post(general, outgoing(passages, { kind: 'passages' }))
    const [panel] = discord.transcript(discord.channel)
    expect(panel?.text.replaceAll(/\s/g, '')).toBe(passages.replaceAll(/\s/g, ''))
    await adapter.post(general, outgoing('渡'.repeat(2000), { kind: 'passages' }))
    expect(discord.transcript(discord.channel).at(-1)?.text).toHaveLength(2000)
  })

  test('what Discord could not carry is refused, not cut', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const long = [{ id: 'a', label: 'A', value: 'x'.repeat(99) }]
    for (const actions of [buttons(26), long]) {
      await expect(adapter.post(general, outgoing('x', { actions }))).rejects.toMatchObject({ code: 'invalid' })
    }
    expect(discord.transcript(discord.channel)).toEqual([])
  })
})

describe('what goes wrong', () => {
  test('a missing permission is named', async () => {
    const discord = await openDouble()
    const { adapter, general } = await open(discord)
    discord.hideChannel(discord.channel)
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('View Channel'),
    })
  })

  test('an edit of a message that is gone is not-found', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const ref = await adapter.post(general, outgoing('x'))
    discord.remove(ref.id)
    await expect(adapter.edit(ref, outgoing('y'))).rejects.toMatchObject({ code: 'not-found' })
  })

  test('too many edits of an old message is a rate limit', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    const ref = await adapter.post(general, outgoing('x'))
    const body = { code: 30046, message: 'Maximum number of edits to messages older than 1 hour reached.' }
    discord.script(patch, { kind: 'status', status: 400, body })
    await expect(adapter.edit(ref, outgoing('y'))).rejects.toMatchObject({ code: 'rate-limited', retryAfterMs: 60_000 })
  })

  test('a long rate limit is told at once, with its length', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    discord.script(create, { kind: 'rate-limit', retryAfterMs: 3_600_000 })
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({
      code: 'rate-limited',
      retryAfterMs: expect.closeTo(3_600_000, -3),
    })
  })

  test('a short rate limit is waited out', async () => {
    const { discord, adapter, general } = await open(await openDouble())
    discord.script(create, { kind: 'rate-limit', retryAfterMs: 400 })
    await adapter.post(general, outgoing('patience'))
    const [refused, sent] = discord.callsTo(create)
    expect(refused?.status).toBe(429)
    // Discord tells whole seconds in the header.
    expect((sent?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  test('a rate limit that never ends does not hold a call for ever', async () => {
    const { discord, adapter, general } = await open(await openDouble(), { times: { callMs: 1500 } })
    const end = discord.script(create, { kind: 'rate-limit', retryAfterMs: 1000, times: Number.POSITIVE_INFINITY })
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'rate-limited' })
    end()
  })

  test('5xx is tried again with pauses, and then told as ambiguous', async () => {
    const { discord, adapter, general } = await open(await openDouble(), { times: { retriesMs: [60, 60] } })
    discord.script(create, { kind: 'status', status: 503, times: 3 })
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'ambiguous' })
    const at = discord.callsTo(create).map((call) => call.at)
    expect(at).toHaveLength(3)
    expect((at[2] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(100)
  })

  test('a call that hangs ends in time', async () => {
    const { discord, adapter, general } = await open(await openDouble(), { times: { attemptMs: 1000, retriesMs: [5] } })
    discord.script(create, { kind: 'hang', times: 2 })
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'ambiguous' })
  })

  test('an edit that waited is not sent by a process that others take for dead; a removal is', async () => {
    let isAlive = true
    const assertAlive = async () => {
      if (!isAlive) throw new Error('taken over')
    }
    const { discord, adapter, general } = await open(await openDouble(), { assertAlive })
    const ref = await adapter.post(general, outgoing('x'))
    const end = discord.script(patch, { kind: 'rate-limit', retryAfterMs: 400 })
    const edited = Promise.resolve(adapter.edit(ref, outgoing('y'))).then(String, String)
    await discord.until(() => discord.callsTo(patch).length === 1)
    isAlive = false
    end()
    expect(await edited).toMatch(/Error/)
    await adapter.remove(ref)
    expect(discord.callsTo(patch)).toHaveLength(1)
    expect(discord.transcript(discord.channel)).toEqual([])
  })

  test('before the start and after the stop nothing can be sent', async () => {
    const { adapter, general } = await open(await openDouble())
    await adapter.stop()
    await adapter.stop()
    await expect(adapter.post(general, outgoing('x'))).rejects.toMatchObject({ code: 'network' })
  })
})
