import { expect } from 'vitest'
import { when } from './desk.ts'
import type { Desk } from './desk.ts'

/** Who may read a channel, who administers it, what it is called. */
export function roomTests(desk: Desk): void {
  when(desk.has('isMember') && desk.has('person'))(
    'who is in a channel is a member, a stranger is not',
    async () => {
      const { conversation } = await desk.talk()
      const { adapter, person = '', stranger } = desk.harness
      expect(await adapter.isMember?.(conversation, person)).toBe(true)
      expect(await adapter.isMember?.(conversation, stranger ?? 'nobody')).toBe(false)
      expect(await adapter.isMember?.(conversation, 'no-such-person')).toBe(false)
    },
  )

  when(desk.has('isMember') && desk.has('leave'))(
    'who has left a moment ago is no member any more',
    async () => {
      const { conversation } = await desk.talk()
      const { adapter, person = '' } = desk.harness
      expect(await adapter.isMember?.(conversation, person)).toBe(true)
      await desk.harness.leave?.(conversation.channel)
      expect(await adapter.isMember?.(conversation, person)).toBe(false)
    },
  )

  when(desk.has('isMember') && desk.has('person'))(
    'a direct message is open to its person alone',
    async () => {
      const { conversation } = await desk.receiver.message(await desk.harness.direct('hello'))
      const { adapter, person = '', stranger = 'nobody' } = desk.harness
      expect(await adapter.isMember?.(conversation, person)).toBe(true)
      expect(await adapter.isMember?.(conversation, stranger)).toBe(false)
    },
  )

  when(desk.has('isAdmin') && desk.has('admin'))(
    'only those administer a channel whom the service lets',
    async () => {
      const { conversation } = await desk.talk()
      const { adapter, person = '' } = desk.harness
      const admin = (await desk.harness.admin?.(conversation.channel)) ?? ''
      expect(await adapter.isAdmin?.(conversation, admin)).toBe(true)
      expect(await adapter.isAdmin?.(conversation, person)).toBe(false)
    },
  )

  when(desk.has('about') && desk.has('addRoom'))(
    'a channel tells its name and whether all may read it',
    async () => {
      const { conversation } = await desk.talk()
      const { adapter } = desk.harness
      const open = await desk.harness.addRoom?.('harbour')
      const at = (channel = '') => ({
        adapter: conversation.adapter,
        workspace: conversation.workspace,
        channel,
        direct: false,
      })
      expect(await adapter.about?.(at(open?.id))).toEqual({ name: 'harbour', isPublic: true })
      const { conversation: alone } = await desk.receiver.message(await desk.harness.direct('hello'))
      expect(await adapter.about?.(alone)).toMatchObject({ isPublic: false })
    },
  )
}
