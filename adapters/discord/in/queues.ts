/** Runs tasks of one lane in order, one at a time; lanes run side by side. A task that throws does not stop its lane. */
export function createLanes(onError: (error: unknown) => void) {
  const tails = new Map<string, Promise<void>>()
  return {
    run(lane: string, task: () => Promise<void>): void {
      const tail = (tails.get(lane) ?? Promise.resolve()).then(task).catch(onError)
      tails.set(lane, tail)
      void tail.finally(() => {
        if (tails.get(lane) === tail) tails.delete(lane)
      })
    },
    async settled(): Promise<void> {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}
