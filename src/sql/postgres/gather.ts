/**
 * Collects items that come in the same moment, or while `atOnce` batches are under way, into batches of at most `most`.
 *
 * @param run must settle each item; it never rejects
 */
export function createGathering<Item>(
  { atOnce, most }: { readonly atOnce: number; readonly most: number },
  run: (batch: readonly Item[]) => Promise<void>,
): (item: Item) => void {
  const waiting: Item[] = []
  let underWay = 0
  let isDue = false

  function send(): void {
    isDue = false
    while (waiting.length > 0 && underWay < atOnce) {
      underWay += 1
      void run(waiting.splice(0, most)).finally(() => {
        underWay -= 1
        send()
      })
    }
  }

  return (item) => {
    waiting.push(item)
    if (isDue || underWay >= atOnce) return
    isDue = true
    setImmediate(send)
  }
}
