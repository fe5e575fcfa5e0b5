import { text, toFields } from '../../shared/json.ts'

export const channelIn = (event: unknown): string => {
  const fields = toFields(event)
  return (
    text(fields, 'channel') ??
    text(toFields(fields['channel']), 'id') ??
    text(toFields(fields['item']), 'channel') ??
    ''
  )
}

/** What came first in a channel is handed on first, although reading it may take a look-up that the next one needs not. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(channel: string, reading: Promise<T>): Promise<T> => {
    const before = last.get(channel)
    const turn = Promise.allSettled([before, reading])
    last.set(channel, turn)
    await before
    try {
      return await reading
    } finally {
      if (last.get(channel) === turn) last.delete(channel)
    }
  }
}

/** What travels to the bridge is plain data that nobody changes on its way. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}
