import { PlatformError } from './errors.ts'

const example = 'for example https://chat-ai.academiccloud.de/v1'

const refuse = (fault: string) =>
  new PlatformError('invalid', `PLATFORM_BASE_URL ${fault}. It is an address that ends in /v1, ${example}.`)

/**
 * The base URL without a trailing slash.
 * @throws {PlatformError} `invalid` when it is no http(s) URL, carries a credential, query or fragment, or does not end in `/v1`.
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) throw refuse('is not a URL')
  const url = new URL(trimmed)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('must start with http:// or https://')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or password')
  if (url.search !== '' || url.hash !== '') throw refuse('must not have a query or a fragment')
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/v1'))
    throw refuse(`must end in /v1, but ends in ${path === '' ? 'the host name' : path}`)
  return `${url.origin}${path}`
}
