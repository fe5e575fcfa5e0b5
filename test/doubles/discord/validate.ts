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
  'PATCH /webhooks/:application/:token/messages/:message': whispered,
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
  if ((Number(body['flags'] ?? 0) & componentsV2) !== 0) return checkPanel(body)
  const embeds = Array.isArray(body['embeds']) ? body['embeds'].length : 0
  const rows = Array.isArray(components) ? (components as Json[]) : []
  const blank = typeof content !== 'string' || content.trim() === ''
  const clears = editing && content === undefined
  if (blank && !clears && files === 0 && embeds === 0) {
    return refuse(400, 50006, 'Cannot send an empty message')
  }
  return checkRows(rows)
}

const componentsV2 = 1 << 15
const known = { row: 1, button: 2, select: 3, roles: 6, text: 10, separator: 14, container: 17 }

/** Limits of https://discord.com/developers/docs/components/reference and of its issues, as far as Footbridge meets them. */
function checkPanel(body: Json): Refusal | undefined {
  if (typeof body['content'] === 'string' && body['content'] !== '')
    return invalidForm('content', 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', 'Not with components V2.')
  const all = flatten(body['components'])
  if (all.length < 1 || all.length > 40)
    return invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 40 in length.')
  const odd = all.find(({ type }) => !Object.values(known).includes(type))
  if (odd !== undefined) return invalidForm('components', 'UNION_TYPE_CHOICES', `The double knows no ${odd.type}.`)
  const texts = all.filter(({ type }) => type === known.text).map(({ content }) => textOf(content))
  if (texts.some((text) => text.length < 1) || texts.join('').length > 4000)
    return invalidForm('components', 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', 'Must be 4000 or fewer in length.')
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length + 12, 0)
  if (bytes > 10_170) return refuse(500, 0, 'Internal Server Error')
  const seen = new Set<unknown>()
  for (const part of all) {
    const refusal =
      part.type === known.button
        ? checkButton(part as unknown as Json, 'components', seen)
        : part.type === known.select
          ? checkSelect(part)
          : part.type === known.roles
            ? checkRoles(part)
            : undefined
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function checkSelect({ custom_id: id, options = [] }: Part): Refusal | undefined {
  if (textOf(id).length < 1 || textOf(id).length > 100)
    return invalidForm('custom_id', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.')
  const isFine = options.every(
    ({ label, value }) => label.length >= 1 && label.length <= 100 && value.length >= 1 && value.length <= 100,
  )
  const values = new Set(options.map(({ value }) => value))
  if (options.length < 1 || options.length > 25 || !isFine || values.size !== options.length)
    return invalidForm('options', 'BASE_TYPE_BAD_LENGTH', 'Between 1 and 25 different options of 1 to 100 characters.')
  return undefined
}

function checkRoles({ custom_id: id, default_values: roles = [], max_values: most = 1 }: Part): Refusal | undefined {
  if (textOf(id).length < 1 || textOf(id).length > 100)
    return invalidForm('custom_id', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.')
  if (most <= 25 && roles.length <= most && roles.every(({ type }) => type === 'role')) return undefined
  return invalidForm('default_values', 'BASE_TYPE_BAD_LENGTH', 'At most 25 roles, and no more than may be chosen.')
}

/** A component of a panel, with those in it. */
export interface Part {
  readonly type: number
  readonly content?: string
  readonly custom_id?: string
  readonly label?: string
  readonly style?: number
  readonly options?: readonly { readonly label: string; readonly value: string; readonly default?: boolean }[]
  readonly default_values?: readonly { readonly id: string; readonly type: string }[]
  readonly max_values?: number
  readonly components?: readonly Part[]
}

/** All components of a message, those in others too. */
export function flatten(components: unknown): Part[] {
  const parts = Array.isArray(components) ? (components as Part[]) : []
  return parts.flatMap((part) => [part, ...flatten(part.components)])
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
