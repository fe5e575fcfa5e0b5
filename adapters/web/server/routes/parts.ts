import type { Log } from '../../../../src/bridge/port/platform.ts'
import type { Assets } from '../page-assets.ts'
import type { Delivery } from '../delivery.ts'
import type { EventHub } from '../live-events.ts'
import type { GrowingTexts } from '../streaming-texts.ts'
import type { Statuses } from '../statuses.ts'
import type { WebStore } from '../store/store.ts'
import type { Clock } from '../../../../src/bridge/port/platform.ts'

/** What the routes work with. */
export interface RouteParts {
  readonly store: WebStore
  readonly hub: EventHub
  readonly growing: GrowingTexts
  readonly statuses: Statuses
  readonly delivery: Delivery
  readonly assets: Assets
  readonly password: string | undefined
  readonly allowedHosts: ReadonlySet<string> | undefined
  /** Host of PUBLIC_URL, for a proxy that hands on another Host. */
  readonly publicHost: string | undefined
  readonly maxFileBytes: number
  readonly log: Log
  readonly clock: Clock
}
