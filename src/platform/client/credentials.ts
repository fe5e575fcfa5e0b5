import { credentialHeader } from '../wire/profile.ts'
import { PlatformError } from './errors.ts'

declare const form: unique symbol

/** The key in its two forms. Each fits only its own header builder, so that the compiler refuses a mix-up. */
export type BearerKey = string & { readonly [form]: 'bearer' }
export type RawKey = string & { readonly [form]: 'raw' }

/** The header that carries a key. Made only here. */
export type CredentialHeader = Readonly<Record<typeof credentialHeader, string>> & {
  readonly [form]: 'header'
}

/** For chat, models, voice, documents. */
export function bearerHeader(key: BearerKey): CredentialHeader {
  return { [credentialHeader]: `Bearer ${key}` } as CredentialHeader
}

/** For collection management, and for collection chat as the interface has it. */
export function rawHeader(key: RawKey): CredentialHeader {
  return { [credentialHeader]: String(key) } as CredentialHeader
}

/** Both forms of a key as it was issued. @throws {PlatformError} `invalid` for a key that no header can carry. */
export function createKeys(apiKey: string): { readonly bearer: BearerKey; readonly raw: RawKey } {
  const fault =
    apiKey === ''
      ? 'is empty'
      : /^bearer\s/i.test(apiKey)
        ? 'starts with "Bearer"'
        : /[^\x21-\x7e]/.test(apiKey)
          ? 'holds a space, a line break or a character outside ASCII'
          : undefined
  if (fault !== undefined) {
    throw new PlatformError('invalid', `PLATFORM_API_KEY ${fault}. Give the key alone, as it was issued.`)
  }
  return { bearer: apiKey as BearerKey, raw: apiKey as RawKey }
}

/** Takes the key out of text that came from outside, should a server echo it. */
export function createRedaction(apiKey: string): (text: string) => string {
  return (text) => text.replaceAll(apiKey, '[key]')
}
