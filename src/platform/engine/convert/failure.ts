/** Why a document was not converted. The parent makes a sentence of it. */
export type ConvertFailure =
  | 'encrypted'
  | 'broken'
  | 'empty'
  | 'too-many-pages'
  /** It unpacks to more than the limit, or says that it does. */
  | 'too-big'
  /** The content is of another kind than the name says. */
  | 'renamed'
  /** It is called a text, and holds binary data. */
  | 'not-text'

/** What a reader fails with, inside the child. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError'
  readonly failure: ConvertFailure
  /** With `renamed`: what the content is. */
  readonly found?: string

  constructor(failure: ConvertFailure, options: { readonly cause?: unknown; readonly found?: string } = {}) {
    super(failure, options.cause === undefined ? undefined : { cause: options.cause })
    this.failure = failure
    if (options.found !== undefined) this.found = options.found
  }
}
