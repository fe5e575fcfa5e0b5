import { onTestFinished } from 'vitest'

interface Closing {
  close(): Promise<unknown>
}

/** Closes this when the test is over. */
export function closeAtEnd<Thing extends Closing>(thing: Thing): Thing {
  onTestFinished(() => thing.close().then(() => undefined))
  return thing
}
