/** Whose request it is: workspaces take turns, and within each its channels do. */
export interface Requester {
  readonly workspace: string
  readonly channel: string
}

/** Things that wait. Whoever was served goes to the end: a busy channel does not hold up a quiet one. */
export function createFairQueue<Item>() {
  const workspaces = new Map<string, Map<string, Item[]>>()

  function drop(workspace: string, channel: string, isServed: boolean): void {
    const channels = workspaces.get(workspace)
    const items = channels?.get(channel)
    if (channels === undefined || items === undefined) return
    if (isServed || items.length === 0) channels.delete(channel)
    if (isServed || channels.size === 0) workspaces.delete(workspace)
    if (items.length > 0) channels.set(channel, items)
    if (channels.size > 0) workspaces.set(workspace, channels)
  }

  return {
    /** Returns a function that takes it out again. */
    add({ workspace, channel }: Requester, item: Item): () => void {
      const channels = workspaces.get(workspace) ?? new Map<string, Item[]>()
      const items = channels.get(channel) ?? []
      items.push(item)
      channels.set(channel, items)
      workspaces.set(workspace, channels)
      return () => {
        const place = items.indexOf(item)
        if (place === -1) return
        items.splice(place, 1)
        drop(workspace, channel, false)
      }
    },
    /** Takes the next of a channel that fits; undefined: none waits. */
    next(fits: (channel: string) => boolean = () => true): Item | undefined {
      for (const [workspace, channels] of workspaces) {
        for (const [channel, items] of channels) {
          if (!fits(channel)) continue
          const item = items.shift()
          drop(workspace, channel, true)
          return item
        }
      }
      return undefined
    },
  }
}
