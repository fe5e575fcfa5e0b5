import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { KeyvEncryptionAdapter } from 'keyv'

const IV_BYTES = 12
const TAG_BYTES = 16
const FORM = /^1\.([0-9a-f]{16})\.([\w-]+)$/

interface Key {
  readonly id: string
  readonly bytes: Uint8Array
}

function toKey(secret: string): Key {
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'footbridge', `state ${what}`, length))
  return { id: derive('key id', 8).toString('hex'), bytes: derive('key', 32) }
}

/**
 * Encrypts under the first secret and decrypts texts of any of them.
 *
 * @throws {Error} of `decrypt`: a sentence that names `SECRET_KEY`; for text that is not encrypted, too
 */
export function createEncryption(secrets: readonly string[]): KeyvEncryptionAdapter {
  const keys = secrets.map(toKey)
  const [current] = keys
  if (current === undefined) throw new Error('SECRET_KEY is missing.')
  return {
    encrypt(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv)
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `1.${current.id}.${sealed.toString('base64url')}`
    },
    decrypt(data) {
      const [, id, body = ''] = FORM.exec(data) ?? []
      if (id === undefined) throw new Error('An entry that must be encrypted is not: somebody wrote into the store.')
      const key = keys.find((one) => one.id === id)
      if (key === undefined)
        throw new Error(
          'An entry was encrypted with another SECRET_KEY. Write the earlier key behind the new one, with a comma between them.',
        )
      const sealed = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, sealed.subarray(0, IV_BYTES))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const text = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
  }
}
