import type { Gateway } from './gateway.ts'
import type { Interactions } from './interactions.ts'
import type { Messages } from './messages.ts'
import type { Json, Payloads } from './payloads.ts'
import type { RouteAnswer } from './validate.ts'
import type { World } from './world.ts'

interface Upload {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Json
  readonly uploads: readonly Upload[]
}

export interface RouteContext {
  readonly world: World
  readonly gateway: Pick<Gateway, 'dispatch'>
  readonly messages: Messages
  readonly payloads: Payloads
  readonly gatewayUrl: () => string
  readonly interactions: Interactions
}

export type Route = (request: RouteRequest, context: RouteContext) => RouteAnswer
