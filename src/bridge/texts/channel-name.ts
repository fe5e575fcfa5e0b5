import type { NamedConversation } from '../port/message.ts'

/** A channel's name is anybody's text: nothing in it becomes markup, and it stays one word. */
export function shown({ name }: Pick<NamedConversation, 'name'>): string {
  return `#${name.replace(/[\\`*_[\]<>~|#@\s]+/g, '-')}`
}
