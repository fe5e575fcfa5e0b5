import type { ConversationRef } from './message.ts'

/** A person of a chat service. */
export interface PersonRef extends Pick<ConversationRef, 'adapter' | 'workspace'> {
  readonly personId: string
}

/** A person, as their program reads. */
export interface Reader extends PersonRef {
  /** Id of the only channel that it may read; absent: all that the person may read. */
  readonly channel?: string | undefined
  /** The organization of the workspace: it may have installed Footbridge for all of its workspaces. */
  readonly organization?: string | undefined
}

/** Limits of a token. */
export interface TokenScope extends Pick<Reader, 'channel'> {
  /** Names of the only tools; absent: all. */
  readonly tools?: readonly string[] | undefined
}

/** A request of a program that a chat service signed. */
export interface SignedRequest {
  /** The name of the program. */
  readonly name: string
  /** The person for whom it asks; undefined: nobody is named. */
  readonly person: Reader | undefined
  /** The request, whose body was read. */
  readonly request: Request
}

/** Undefined: the chat service did not sign it. */
export type ReadSigned = (request: Request) => Promise<SignedRequest | undefined>

/** A channel whose files a person may read at this moment. */
export interface ReadableChannel {
  /** Id of the collection that it uses; whoever has it learns nothing of the collection. */
  readonly id: string
  readonly name: string
  readonly conversation: ConversationRef
  /** Full id on the platform. */
  readonly collectionId: string
}

/** Rights of people, for programs that act as them. Each call asks the chat service who is in which channel. */
export interface PersonAccess {
  /** Channels with files; two that use the same collection count as one. @throws {AdapterError} when the service can't be asked now */
  channelsOf(person: Reader): Promise<readonly ReadableChannel[]>
  /** One of them, by the id of its collection. */
  find(person: Reader, id: string): Promise<ReadableChannel | undefined>
  /** Counts a question against the budgets of the person and of these channels: those with room, or a sentence if no one has it. */
  charge(person: PersonRef, channels: readonly ReadableChannel[]): Promise<readonly ReadableChannel[] | string>
  /** Questions that the files of this channel did not answer, newest first. */
  gaps(person: PersonRef, channel: ReadableChannel): Promise<readonly Gap[]>
}

export interface Gap {
  readonly question: string
  /** ISO 8601. */
  readonly askedAt: string
}

/** A token without its secret. */
export interface TokenInfo extends TokenScope {
  /** As the person called it. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** At most an hour old; absent: never used. */
  readonly usedAt?: number | undefined
  /** Where the program that signed in sent the browser; absent: a token that the person made. */
  readonly host?: string | undefined
}

/** Tokens by which programs of a person act as that person. */
export interface AccessTokens {
  /** Where programs ask: `https://…/mcp`. */
  readonly address: string
  /** Names of all tools. */
  readonly tools: readonly string[]
  /**
   * The token, which is shown once and kept as a hash. Undefined: the name is taken, or there are too many.
   *
   * @param sendId of the message that shows it: a token that was made for it before is replaced
   * @param scope default: all that the person may read, by all tools
   */
  make(person: PersonRef, name: string, sendId?: string, scope?: TokenScope): Promise<string | undefined>
  /** Oldest first. A program that can renew its access no more is left out. */
  list(person: PersonRef): Promise<readonly TokenInfo[]>
  /** False: no token has this name. */
  revoke(person: PersonRef, name: string): Promise<boolean>
  /** Ends the tokens of everybody of a workspace. */
  forgetWorkspace(adapter: string, workspace: string): Promise<void>
}
