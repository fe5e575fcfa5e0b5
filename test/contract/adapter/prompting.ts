import { expect } from 'vitest'
import type { Action } from '#bridge/port/message.ts'
import { expectPlainData, send, when, type Subject } from './subject.ts'

const prompt = { title: 'Edit the words', label: 'What was said' }
const edit = (more: object = {}): Action => ({
  id: 'edit',
  label: 'Edit',
  value: 'offer:1#0',
  style: 'primary',
  prompt: { ...prompt, ...more },
})

/** Buttons that ask for a text. */
export function promptTests(subject: Subject): void {
  const dialogs = when(subject.has('fillIn'))

  dialogs('a button with a prompt opens a dialog, and what is typed comes with the action', async () => {
    const { conversation } = await subject.talk()
    const ref = await subject.harness.adapter.post(conversation, send('how long?', { actions: [edit()] }))
    const shown = await subject.harness.fillIn?.(ref.id, 'Edit', 'how far?\n& *why* <b>')
    expect(shown).toEqual({ ...prompt, text: '' })
    const action = await subject.receiver.next('action')
    expect(action).toMatchObject({
      messageId: ref.id,
      action: { id: 'edit', value: 'offer:1#0', text: 'how far?\n& *why* <b>' },
    })
    expect(action.conversation).toStrictEqual(conversation)
    if (subject.has('person')) expect(action.author.id).toBe(subject.harness.person)
    expectPlainData(action)
    expect(subject.receiver.inbounds.filter(({ kind }) => kind === 'action')).toHaveLength(1)
  })

  dialogs('the field begins with the text of the message where it is asked to', async () => {
    const { conversation } = await subject.talk()
    const said = 'how long is <the> ferry & back, @here?'
    const outgoing = send(said, { actions: [edit({ prefill: 'message' })] })
    const ref = await subject.harness.adapter.post(conversation, outgoing)
    const shown = await subject.harness.fillIn?.(ref.id, 'Edit', 'how far?')
    expect(shown?.text).toBe(said)
  })

  dialogs('long titles and labels are shown as far as the service can, and the dialog still opens', async () => {
    const { conversation } = await subject.talk()
    const words = { title: 'What do you want to have changed here?', label: 'a very long label '.repeat(5) }
    const ref = await subject.harness.adapter.post(conversation, send('x', { actions: [edit(words)] }))
    const shown = await subject.harness.fillIn?.(ref.id, 'Edit', 'this')
    expect(shown?.title).not.toBe('')
    expect((await subject.receiver.next('action')).action).toMatchObject({ value: 'offer:1#0', text: 'this' })
  })

  when(subject.has('press'))('a button without a prompt brings no text', async () => {
    const { conversation } = await subject.talk()
    const actions: readonly Action[] = [edit(), { id: 'go', label: 'Go', value: '1', style: 'primary' }]
    const ref = await subject.harness.adapter.post(conversation, send('x', { actions }))
    await subject.harness.press?.(ref.id, 'Go')
    expect((await subject.receiver.next('action')).action).toEqual({ id: 'go', value: '1' })
  })
}
