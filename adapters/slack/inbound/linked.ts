import type { ConversationRef, MessageRef } from '#bridge/port/message.ts'

/** `https://team.slack.com/archives/C0123/p1700000000000100`, in a thread with `?thread_ts=1700000000.000100&cid=C0123`. */
const PERMALINK = new RegExp(
  String.raw`https:\/\/[\w.-]+\.slack(?:-gov)?\.com\/archives\/([CDG][A-Z0-9]+)\/p(\d{10})(\d{6})` +
    String.raw`(?:\?(?:[^\s<>|]*[?&;])?thread_ts=(\d{10}\.\d{6}))?`,
  'g',
)

/** Messages whose addresses are in a text, each once. */
export function linkedIn(
  markup: string,
  conversationOf: (channel: string, thread: string) => ConversationRef,
): readonly MessageRef[] {
  const found = new Map<string, MessageRef>()
  for (const [, channel = '', seconds = '', rest = '', thread] of markup.matchAll(PERMALINK)) {
    const id = `${seconds}.${rest}`
    found.set(`${channel}:${id}`, { conversation: conversationOf(channel, thread ?? id), id })
  }
  return [...found.values()]
}
