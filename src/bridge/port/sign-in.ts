import type { PersonRef } from './person-access.ts'

/** A program that asks to read for whoever is at the browser. */
export interface SignInRequest {
  readonly clientId: string
  /** As the program calls itself: nobody has checked it. */
  readonly program: string
  /** Where the program describes itself; absent: it registered here. */
  readonly host?: string | undefined
  /** The redirect address: `https:`, or of this machine. */
  readonly redirectUri: string
  /** The browser goes on to its own machine. */
  readonly isLocal: boolean
  /** SHA-256 of a secret that the program shows when it fetches its tokens (PKCE). */
  readonly challenge: string
  /** Handed back to the program as it is. */
  readonly state?: string | undefined
}

/** Programs that sign in by OAuth 2.1; their tokens act as the person who agreed. */
export interface SignIn {
  /** Path of the page on which a person agrees. */
  readonly path: string
  /** The request in the query of that page; a sentence: why it is refused. */
  read(query: URLSearchParams): Promise<SignInRequest | string>
  /** The person agreed: where the browser goes, with a code. Undefined: the person has as many tokens as there can be. */
  allow(request: SignInRequest, person: PersonRef): Promise<string | undefined>
  /** The person did not agree: where the browser goes. */
  refuse(request: SignInRequest): string
}
