import type { EngineOptions } from '#platform/engine/engine.ts'
import type { ServerParts } from '#platform/server/routing.ts'
import type { Profile } from '#platform/wire/profile.ts'
import type { UpstreamDouble } from '#test/doubles/upstream/double.ts'

/** One request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string
  /** Whole address. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Of our own server. */
export type Settings = Pick<EngineOptions, 'quota' | 'writeWaitMs'> & Pick<ServerParts, 'passAnswerMs'>

/** Acts that only our own server allows. */
export interface OurServer {
  /** Size of a text that takes its index some seconds. */
  readonly busyBytes: number
  /** The model server that it calls. */
  readonly upstream: UpstreamDouble
  /** Output of the command line for `keys` and these words. */
  keys(...words: readonly string[]): Promise<string>
  /** A further key, made on the command line; its user too, when missing. */
  makeKey(user: string): Promise<string>
  /** Moves its clock. */
  advance(ms: number): Promise<void>
  /** Another one with other settings; closed together with this one. */
  another(settings: Settings): Promise<Target>
}

/** A server that the rows are run against. */
export interface Target {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly key: string
  readonly profile: Profile
  /** Model of a plain chat. */
  readonly chatModel: string
  readonly speechModel: string
  /** Everything that the rows asked. */
  readonly exchanges: Exchange[]
  /** Present for our own server. */
  readonly ours?: OurServer
  close(): Promise<void>
}
