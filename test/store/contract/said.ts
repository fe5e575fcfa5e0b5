import type { Inbound } from '#bridge/port/message.ts'

export const conversation = { adapter: 'fake', workspace: 'w', channel: 'c', direct: false }
/** The event of a message; its key is `fake:` and the id. */
export function said(id: string, options: { text?: string; provisional?: boolean } = {}): Inbound {
  return {
    kind: 'message',
    key: `fake:${id}`,
    message: {
      id,
      conversation,
      author: { id: 'u', name: 'U' },
      text: options.text ?? id,
      addressed: true,
      mentionsOthers: false,
      attachments: [],
      sentAt: '2026-11-21T08:00:00Z',
    },
    ...(options.provisional === undefined ? {} : { provisional: options.provisional }),
  }
}
