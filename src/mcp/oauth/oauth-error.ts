/** A refusal by RFC 6749 and RFC 7591: the code is for the program, the sentence for whoever maintains it. */
export class OauthError extends Error {
  override readonly name = 'OauthError'
  readonly code:
    | 'invalid_request'
    | 'invalid_grant'
    | 'invalid_target'
    | 'unsupported_grant_type'
    | 'invalid_client_metadata'
    | 'invalid_redirect_uri'

  constructor(code: OauthError['code'], message: string) {
    super(message)
    this.code = code
  }
}
