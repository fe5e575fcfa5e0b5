import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  ownText,
  packPrompt,
  readCustomId,
  readModal,
  toRows,
  unpackPrompt,
} from '#adapters/discord/outbound/buttons.ts'
import type { Action } from '#bridge/port/message.ts'
import { openStore } from '#store/store.ts'
import { open, openDouble, outgoing } from '../harness.ts'

const show: Action = { id: 'show', label: 'Show', value: '1' }
const edit: Action = {
  id: 'edit',
  label: 'Edit',
  value: 'o'.repeat(60),
  prompt: { title: 'Edit what was heard', label: 'The words', prefill: 'message' },
}
const minutes = 60_000

async function scene() {
  const discord = await openDouble()
  const opened = await open(discord)
  return { ...opened, ana: discord.userId('ana') }
}

describe('a message for one person', () => {
  test('is seen by them alone after a press of theirs, and can be changed and taken back', async () => {
    const { discord, adapter, general, next, ana } = await scene()
    const ref = await adapter.post(general, outgoing('There are three.', { actions: [show] }))
    await discord.pressButton(ref.id, 'Show').acknowledged
    await next('action')
    const send = outgoing('for you', { privateTo: ana, notify: [ana] })
    const alone = await adapter.post(general, send)
    expect((await adapter.post(general, send)).id).toBe(alone.id)
    await adapter.edit?.(alone, outgoing('for you still'))
    expect(discord.transcript(discord.channel).at(-1)).toMatchObject({
      id: alone.id,
      only: 'ana',
      text: 'for you still',
    })
    await adapter.remove(alone)
    await adapter.remove(alone)
    expect(discord.transcript(discord.channel).map(({ id }) => id)).toEqual([ref.id])
  })

  test('is seen by them alone where another process took their press', async () => {
    const discord = await openDouble()
    const folder = mkdtempSync(join(tmpdir(), 'footbridge-presses-'))
    const store = openStore(folder)
    onTestFinished(() => {
      store.close()
      rmSync(folder, { recursive: true })
    })
    const presses = store.state('discord-press')
    const { adapter, general, next } = await open(discord, { presses })
    const ref = await adapter.post(general, outgoing('There are three.', { actions: [show] }))
    await discord.pressButton(ref.id, 'Show').acknowledged
    await next('action')
    await adapter.stop()
    const other = await open(discord, { presses })
    await other.adapter.post(general, outgoing('for you', { privateTo: discord.userId('ana') }))
    expect(discord.transcript(discord.channel).at(-1)).toMatchObject({ only: 'ana', text: 'for you' })
  })

  test('is a message like any other without a press, for another person, and when the press is long ago', async () => {
    const { discord, adapter, general, next, ana } = await scene()
    const actions = [show]
    const ref = await adapter.post(general, outgoing('There are three.', { actions }))
    const alone = async (privateTo: string) => {
      const { id } = await adapter.post(general, outgoing('for you', { privateTo, replyTo: ref.id }))
      return discord.transcript(discord.channel).find((message) => message.id === id)
    }
    expect(await alone(ana)).toMatchObject({ replyTo: ref.id })
    await discord.pressButton(ref.id, 'Show').acknowledged
    await next('action')
    expect((await alone(discord.userId('bert')))?.only).toBeUndefined()
    expect((await alone(ana))?.only).toBe('ana')
  })

  test('whose way is closed after all is told as an error, and what stood there goes with it', async () => {
    const { discord, adapter, general, next, ana } = await scene()
    const ref = await adapter.post(general, outgoing('There are three.', { actions: [show] }))
    await discord.pressButton(ref.id, 'Show').acknowledged
    await next('action')
    const alone = await adapter.post(general, outgoing('for you', { privateTo: ana }))
    discord.ageInteractions(16 * minutes)
    await expect(adapter.edit?.(alone, outgoing('again'))).rejects.toMatchObject({ code: 'not-found' })
    await adapter.post(general, outgoing('for all, then', { privateTo: ana }))
    expect(discord.transcript(discord.channel).at(-1)?.only).toBeUndefined()
    await adapter.remove(alone)
  })

  test('in a direct message is simply a message', async () => {
    const { discord, adapter, nextMessage, ana } = await scene()
    discord.say({ direct: true, text: 'hello' })
    const { conversation } = await nextMessage()
    await adapter.post(conversation, outgoing('for you', { privateTo: ana }))
    expect(discord.transcript(conversation.channel).at(-1)).toMatchObject({ text: 'for you' })
  })
})

describe('people who are told', () => {
  test('are called by a message below where the text leaves no room', async () => {
    const { discord, adapter, general, ana } = await scene()
    const ref = await adapter.post(general, outgoing('x'.repeat(1_995), { notify: [ana] }))
    const shown = discord.transcript(discord.channel)
    expect(shown.map(({ text }) => text)).toEqual(['x'.repeat(1_995), `<@${ana}>`])
    expect(shown[1]?.replyTo).toBe(ref.id)
    expect(discord.pings.map(({ target }) => target)).toEqual([ana])
  })
})

describe('a dialog', () => {
  test('opens with its words, and what is typed comes with the language of who typed it', async () => {
    const { discord, adapter, general, next } = await scene()
    const short = { ...edit, value: 'offer:1' }
    const ref = await adapter.post(general, outgoing('how *long*? @here', { actions: [short] }))
    const press = discord.pressButton(ref.id, 'Edit')
    const modal = await discord.until(() => press.modal())
    expect(modal).toMatchObject({
      title: 'Edit what was heard',
      components: [{ label: 'The words', component: { value: 'how *long*? @here' } }],
    })
    const submitted = discord.submitModal(press, 'how far?')
    const action = await next('action')
    expect(action.author.language).toBe('de')
    expect(action.action).toEqual({ id: 'edit', value: 'offer:1', text: 'how far?' })
    expect(await submitted.acknowledged).toBe(true)
  })

  test('that asks for a reason takes none, too', async () => {
    const { discord, adapter, general, next } = await scene()
    const why = {
      id: 'vote',
      label: '👎',
      value: 'offer:2',
      prompt: { title: 'What was wrong?', label: 'If you like', reasons: true },
    } as const
    const ref = await adapter.post(general, outgoing('At nine.', { actions: [why] }))
    const presses = ['👎', '👎'].map((label) => discord.pressButton(ref.id, label))
    const modals = await Promise.all(presses.map((press) => discord.until(() => press.modal())))
    expect(modals[0]).toMatchObject({
      title: 'What was wrong?',
      components: [
        { label: 'Was trifft zu?', component: { type: 22, required: false, min_values: 0 } },
        { label: 'If you like', component: { type: 4, required: false } },
      ],
    })
    // Telephones show a dialog of a known id again as it was: discord-api-docs#7554.
    expect(modals[0]?.custom_id).not.toBe(modals[1]?.custom_id)
    const [first, second] = presses
    if (first === undefined || second === undefined) throw new Error('Two were pressed.')
    expect(await discord.submitModal(first, '').acknowledged).toBe(true)
    expect((await next('action')).action).toEqual({ id: 'vote', value: 'offer:2', text: '' })
    discord.submitModal(second, 'It is ten.', ['outdated', 'wrong'])
    const told = { id: 'vote', value: 'offer:2', text: 'wrong, outdated: It is ten.' }
    expect((await next('action', ({ action }) => action.text !== '')).action).toEqual(told)
  })

  test('of which the words found no room in the button bears the words of the button', async () => {
    const { discord, adapter, general, next } = await scene()
    const prompt = { title: 'Edit what was heard in this memo', label: 'The words' }
    const ref = await adapter.post(general, outgoing('x', { actions: [{ ...edit, prompt }] }))
    const press = discord.pressButton(ref.id, 'Edit')
    expect(await discord.until(() => press.modal())).toMatchObject({ title: 'Edit', components: [{ label: 'Edit' }] })
    discord.submitModal(press, 'y')
    expect((await next('action')).action).toEqual({ id: 'edit', value: 'o'.repeat(60), text: 'y' })
  })

  test('whose storing took longer than Discord waits is carried out, and is no error', async () => {
    const discord = await openDouble()
    const receive = async () => discord.ageInteractions(10_000)
    const { adapter, general, next, lines } = await open(discord, { receive })
    const ref = await adapter.post(general, outgoing('x', { actions: [show] }))
    discord.pressButton(ref.id, 'Show')
    await next('action')
    await discord.until(() => discord.callsTo('POST /interactions/:interaction/:token/callback').length === 1)
    await adapter.stop()
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('that another process acknowledged before it died is carried out, and is no error', async () => {
    const { discord, adapter, general, next, lines } = await scene()
    const ref = await adapter.post(general, outgoing('x', { actions: [show] }))
    const body = { code: 40060, message: 'Interaction has already been acknowledged.' }
    discord.script('POST /interactions/:interaction/:token/callback', { kind: 'status', status: 400, body })
    discord.pressButton(ref.id, 'Show')
    await next('action')
    await discord.until(() => discord.callsTo('POST /interactions/:interaction/:token/callback').length === 1)
    await adapter.stop()
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('that was submitted lets the person be told something alone', async () => {
    const { discord, adapter, general, next, ana } = await scene()
    const ref = await adapter.post(general, outgoing('x', { actions: [edit] }))
    const press = discord.pressButton(ref.id, 'Edit')
    await discord.until(() => press.modal())
    await discord.submitModal(press, 'y').acknowledged
    await next('action')
    await adapter.post(general, outgoing('thanks', { privateTo: ana }))
    expect(discord.transcript(discord.channel).at(-1)).toMatchObject({ text: 'thanks', only: 'ana' })
  })

  test('buttons of all kinds stay within 100 characters and are told apart again', () => {
    for (const prompt of [
      { title: 't', label: 'l' },
      { title: 't'.repeat(50), label: 'l'.repeat(50), prefill: 'message' } as const,
      { title: 'Was stimmte nicht?', label: 'In ein paar Worten, wenn du magst', reasons: true } as const,
    ]) {
      const packed = packPrompt('edit:1', prompt)
      expect(packed.length).toBeLessThanOrEqual(100)
      const { custom, dialog } = unpackPrompt(packed)
      expect(readCustomId(custom)).toEqual({ id: 'edit', value: '1' })
      expect(dialog?.prefill).toBe('prefill' in prompt)
      expect(dialog?.reasons).toBe('reasons' in prompt)
    }
    expect(unpackPrompt('edit:1')).toEqual({ custom: 'edit:1' })
    const [row] = toRows([
      { ...show, style: 'primary' },
      { ...show, value: '2', style: 'danger' },
      { ...show, value: '3' },
    ])
    expect(row?.components.map(({ style }) => style)).toEqual([1, 4, 2])
  })

  test('reads what was typed, under a label or in a row; begins without mentions and references', () => {
    const input = { type: 4, custom_id: 'text', value: 'typed' }
    expect(read({ type: 18, component: input })).toEqual({ custom: 'edit:1', text: 'typed' })
    expect(read({ type: 1, components: [input] }).text).toBe('typed')
    expect(read().text).toBe('')
    expect(ownText('\u{1F399}\uFE0F “When does “it” sail?”')).toBe('When does “it” sail?')
    expect(ownText('<@12345> <@67890>\nwords\nmore\n\n-# [1] **a.pdf**\n-# “x”')).toBe('words\nmore')
  })
})

const read = (...components: readonly object[]) => readModal({ custom_id: 'edit:1\u001F7', components })

describe('marks and files', () => {
  test('a mark in a direct message names its person', async () => {
    const { discord, nextMessage, next } = await scene()
    const said = discord.say({ direct: true, text: 'hello' })
    const { conversation } = await nextMessage()
    discord.react(said.id)
    expect(await next('pin')).toMatchObject({ conversation, messageId: said.id, author: { name: 'ana' } })
  })

  test('a file over what Discord takes is refused with a sentence', async () => {
    const { adapter, general } = await scene()
    const bytes = new Blob([new Uint8Array(10_485_761)])
    const file = { name: 'big.bin', mimeType: 'application/octet-stream', bytes }
    await expect(adapter.upload?.(general, file, outgoing('Here'))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('10 MB'),
    })
  })
})

test('of the presses while the connection was lost, those are carried out that Discord has not shown as failed', async () => {
  const discord = await openDouble()
  const opened = await open(discord, { times: { reconnectMs: 10 } })
  const actions = ['Late', 'Slow', 'Fresh'].map((label) => ({ id: 'a', label, value: label }))
  const { id } = await opened.adapter.post(opened.general, outgoing('press', { actions }))
  discord.gateway.open(false)
  discord.gateway.drop()
  await discord.until(() => discord.gateway.connected === 0)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { acknowledged } = discord.pressButton(id, 'Late', 'ana')
  vi.setSystemTime(Date.now() + 1000)
  discord.pressButton(id, 'Slow', 'ana')
  vi.setSystemTime(Date.now() + 2500)
  discord.pressButton(id, 'Fresh', 'ana')
  discord.gateway.open(true)
  await Promise.all(['Slow', 'Fresh'].map((value) => opened.next('action', ({ action }) => action.value === value)))
  expect(await acknowledged).toBe(false)
  expect(opened.inbounds.filter(({ kind }) => kind === 'action')).toHaveLength(2)
  expect(discord.gateway.resumed).toBe(1)
})
