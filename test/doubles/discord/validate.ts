import type { Json } from './payloads.ts'

/** A refusal in the shape of Discord's error bodies. */
export interface Refusal {
  readonly status: number
  readonly body: Json
}

/** No body: 204, without a content type. */
export type RouteAnswer = { readonly status: number; readonly body?: unknown } | Refusal

/** A field of a request that should be a string. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const refuse = (status: number, code: number, message: string): Refusal => ({ status, body: { message, code } })

/** 50035: https://discord.com/developers/docs/reference#error-messages */
export function invalidForm(path: string, code: string, message: string): Refusal {
  let errors: Json = { _errors: [{ code, message }] }
  for (const part of path.split('.').toReversed()) errors = { [part]: errors }
  return { status: 400, body: { message: 'Invalid Form Body', code: 50035, errors } }
}

const created = [
  'content',
  'nonce',
  'tts',
  'embeds',
  'allowed_mentions',
  'message_reference',
  'components',
  'sticker_ids',
  'attachments',
  'flags',
  'enforce_nonce',
  'poll',
]
const whispered = ['content', 'tts', 'embeds', 'allowed_mentions', 'components', 'attachments', 'flags']
/** Fields that Discord documents for a route, and those that discord.js always adds. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  'POST /channels/:channel/messages': created,
  'PATCH /channels/:channel/messages/:message': [
    'content',
    'embeds',
    'flags',
    'allowed_mentions',
    'components',
    'attachments',
    'tts',
    'enforce_nonce',
  ],
  'POST /channels/:channel/messages/:message/threads': ['name', 'auto_archive_duration', 'rate_limit_per_user'],
  'POST /users/@me/channels': ['recipient_id', 'recipients'],
  'POST /interactions/:interaction/:token/callback': ['type', 'data'],
  // A nonce counts for nothing here, so nobody may rely on one.
  'POST /webhooks/:application/:token': whispered,
  'PATCH /webhooks/:application/:token/messages/:message': whispered.filter((name) => name !== 'flags'),
}

const nestedFields: Readonly<Record<string, readonly string[]>> = {
  allowed_mentions: ['parse', 'roles', 'users', 'replied_user'],
  message_reference: ['type', 'message_id', 'channel_id', 'guild_id', 'fail_if_not_exists'],
}

export function checkFields(route: string, body: Json): Refusal | undefined {
  const known = knownFields[route]
  if (known === undefined) return undefined
  for (const [field, value] of Object.entries(body)) {
    if (!known.includes(field)) return unknownField(field)
    const inner = nestedFields[field]
    if (inner === undefined || typeof value !== 'object' || value === null) continue
    for (const name of Object.keys(value)) if (!inner.includes(name)) return unknownField(`${field}.${name}`)
  }
  return undefined
}

const unknownField = (path: string) => invalidForm(path, 'UNKNOWN_FIELD', 'The double knows no such field.')

/** Limits of https://discord.com/developers/docs/resources/message#create-message */
export function checkMessage(body: Json, files: number, editing: boolean): Refusal | undefined {
  const { content, nonce, components } = body as { content?: unknown; nonce?: unknown; components?: unknown }
  if (content !== undefined && content !== null && typeof content !== 'string') {
    return invalidForm('content', 'BASE_TYPE_BAD_STRING', 'Could not interpret as string.')
  }
  if (typeof content === 'string' && content.length > 2000) {
    return invalidForm('content', 'BASE_TYPE_MAX_LENGTH', 'Must be 2000 or fewer in length.')
  }
  if (textOf(nonce).length > 25) {
    return invalidForm('nonce', 'NONCE_TYPE_LENGTH', 'Must be 25 or fewer in length.')
  }
  const embeds = Array.isArray(body['embeds']) ? body['embeds'].length : 0
  const rows = Array.isArray(components) ? (components as Json[]) : []
  const blank = typeof content !== 'string' || content.trim() === ''
  const clears = editing && content === undefined
  if (blank && !clears && files === 0 && embeds === 0) {
    return refuse(400, 50006, 'Cannot send an empty message')
  }
  return checkRows(rows)
}

function checkRows(rows: readonly Json[]): Refusal | undefined {
  if (rows.length > 5) return invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
  const seen = new Set<unknown>()
  for (const [index, row] of rows.entries()) {
    const at = `components.${index}.components`
    const buttons = Array.isArray(row['components']) ? (row['components'] as Json[]) : []
    if (row['type'] !== 1 || buttons.length < 1 || buttons.length > 5) {
      return invalidForm(at, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
    }
    for (const [place, button] of buttons.entries()) {
      const refusal = checkButton(button, `${at}.${place}`, seen)
      if (refusal !== undefined) return refusal
    }
  }
  return undefined
}

function checkButton(button: Json, at: string, seen: Set<unknown>): Refusal | undefined {
  const id = button['custom_id']
  if (typeof id !== 'string' || id.length < 1 || id.length > 100) {
    return invalidForm(`${at}.custom_id`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.')
  }
  if (seen.has(id)) {
    return invalidForm(`${at}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
  }
  seen.add(id)
  if (textOf(button['label']).length > 80) {
    return invalidForm(`${at}.label`, 'BASE_TYPE_MAX_LENGTH', 'Must be 80 or fewer in length.')
  }
  return undefined
}
