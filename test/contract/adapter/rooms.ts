import { expect } from 'vitest'
import { when, type Subject } from './subject.ts'

/** Who may read a channel, who administers it, what it is called. */
export function roomTests(subject: Subject): void {
  when(subject.has('person'))('who is in a channel is a member, a stranger is not', async () => {
    const { conversation } = await subject.talk()
    const { adapter, person = '', stranger } = subject.harness
    expect(await adapter.isMember(conversation, person)).toBe(true)
    expect(await adapter.isMember(conversation, stranger ?? 'nobody')).toBe(false)
    expect(await adapter.isMember(conversation, 'no-such-person')).toBe(false)
  })

  when(subject.has('leave'))('who has left a moment ago is no member any more', async () => {
    const { conversation } = await subject.talk()
    const { adapter, person = '' } = subject.harness
    expect(await adapter.isMember(conversation, person)).toBe(true)
    await subject.harness.leave?.(conversation.channel)
    expect(await adapter.isMember(conversation, person)).toBe(false)
  })

  when(subject.has('person'))('a direct message is open to its person alone', async () => {
    const { conversation } = await subject.receiver.message(await subject.harness.direct('hello'))
    const { adapter, person = '', stranger = 'nobody' } = subject.harness
    expect(await adapter.isMember(conversation, person)).toBe(true)
    expect(await adapter.isMember(conversation, stranger)).toBe(false)
  })

  when(subject.has('admin'))('only those administer a channel whom the service lets', async () => {
    const { conversation } = await subject.talk()
    const { adapter, person = '' } = subject.harness
    const admin = (await subject.harness.admin?.(conversation.channel)) ?? ''
    expect(await adapter.isAdmin(conversation, admin)).toBe(true)
    expect(await adapter.isAdmin(conversation, person)).toBe(false)
  })

  when(subject.has('addRoom'))('a channel tells its name and whether all may read it', async () => {
    const { conversation } = await subject.talk()
    const { adapter } = subject.harness
    const open = await subject.harness.addRoom?.('harbour')
    const at = (channel = '') => ({
      adapter: conversation.adapter,
      workspace: conversation.workspace,
      channel,
      direct: false,
    })
    expect(await adapter.describeChannel(at(open?.id))).toMatchObject({ name: 'harbour', isPublic: true })
    const { conversation: alone } = await subject.receiver.message(await subject.harness.direct('hello'))
    expect(await adapter.describeChannel(alone)).toMatchObject({ isPublic: false })
  })
}
