import { type KeyOrder, openKeyRing } from '#platform/engine/api/keys.ts'
import type { TestPlatform } from './platform.ts'

/** A further key, made as the command line makes it, while the platform runs. */
export async function addKey(
  platform: TestPlatform,
  user: string,
  order: Partial<KeyOrder> & { readonly clock?: () => number } = {},
): Promise<{ readonly key: string; readonly id: number }> {
  const { clock, ...more } = order
  const ring = await openKeyRing(platform.dataDir, clock)
  try {
    const { key, listed } = await ring.add({ user, label: '', expiresAt: null, ...more })
    return { key, id: listed.row.id }
  } finally {
    await ring.close()
  }
}

/** A request of whoever holds this key. */
export const as =
  (platform: TestPlatform, key: string) =>
  (method: string, path: string, options: Parameters<TestPlatform['call']>[2] = {}) =>
    platform.call(method, path, { ...options, key })
