import type { types } from '@slack/bolt'
import type { Card, Details } from '#bridge/port/forms.ts'
import type { Reference } from '#bridge/port/message.ts'
import { cut, oneLine } from '#adapters/shared/outgoing.ts'
import { pageOf } from '#adapters/shared/page-pictures.ts'
import { ENTITY_TYPES } from '../config.ts'
import { linkOf, passageField } from './references.ts'
import { textsFor } from './texts.ts'

const MAX_TITLE = 150
const MAX_EXCERPT = 200
/** Slack takes 3,000 characters in a field. */
const MAX_TEXT = 2_900
/** Bytes are never fewer than characters. */
const MAX_PASSAGE_BYTES = 2_900

interface Place {
  readonly url: string
  /** Slack tells the press by it. */
  readonly id: string
}

interface Head extends Place {
  readonly type: string
  readonly title: string
  /** Milliseconds. */
  readonly at: number
}

type Dropped = Pick<Reference, 'droppedBy' | 'droppedAt'>
type CitedAt = Extract<Details, { reference: unknown }>
type Payload = types.EntityMetadata['entity_payload']

/**
 * A Work Object. A string is literal without a format: it can neither format nor notify. Its card and its details are
 * equally old, or Slack would put what one person opened into the card that all see.
 */
export const entity = (
  { type, url, id, title, at }: Head,
  fields: Payload['fields'],
  custom_fields: Payload['custom_fields'] = [],
  attributes: Partial<Payload['attributes']> = {},
): types.EntityMetadata => ({
  entity_type: type,
  url,
  external_ref: { id },
  entity_payload: {
    attributes: {
      title: { text: cut(title, MAX_TITLE) },
      metadata_last_modified: Math.floor(at / 1000),
      ...attributes,
    },
    fields,
    custom_fields,
  },
})

/** The person who dropped the file, and the time. */
function fieldsOf({ droppedBy, droppedAt }: Dropped): types.FileEntityFields {
  const at = Date.parse(droppedAt ?? '')
  return {
    ...(droppedBy !== undefined && { created_by: { type: 'slack#/types/user', user: { text: droppedBy } } }),
    ...(!Number.isNaN(at) && { date_created: { value: Math.floor(at / 1000), type: 'slack#/types/timestamp' } }),
  }
}

/** A file with the beginning of its text, where it has one. The label of a card says who dropped it. */
export function fileEntity(
  place: Place,
  { title, text, at, file = {} }: Pick<Card, 'title' | 'text' | 'at'> & { readonly file?: Dropped },
  label: string,
): types.EntityMetadata {
  const value = cut(text === '' ? title : text, MAX_TEXT)
  const fields = [{ key: 'beginning', label, type: 'string', long: true, value }]
  return entity({ ...place, type: ENTITY_TYPES.file, title, at }, fieldsOf(file), fields)
}

/** The card of a reference, which the whole channel sees as it sees the answer: that tells who dropped the file. */
export function referenceCard(place: Place, { reference, at }: CitedAt, label: string): types.EntityMetadata {
  const { label: title } = passageField(reference, 0)
  const value = cut(oneLine(reference.support ?? reference.passage), MAX_EXCERPT)
  const head = { ...place, type: ENTITY_TYPES.file, title, at }
  return entity(head, {}, [{ key: 'passage', label, type: 'string', long: true, value }])
}

/** The passage of a reference for one person, with a link to its file, and its page as a picture. */
export function referenceEntity(
  place: Place,
  { reference, at }: CitedAt,
  { picture, language }: { readonly picture?: string; readonly language?: string },
): types.EntityMetadata {
  const { label, value } = passageField(reference, MAX_PASSAGE_BYTES)
  const { passage, file, page } = textsFor(language).pane
  const link = linkOf(reference)
  const number = picture === undefined ? undefined : pageOf(reference)
  const alt_text = cut(`${page} ${number}: ${oneLine(reference.file)}`, MAX_TITLE)
  return entity(
    { ...place, type: ENTITY_TYPES.file, title: label, at },
    fieldsOf(reference),
    [
      { key: 'passage', label: passage, type: 'string', long: true, value },
      ...(number === undefined
        ? []
        : [{ key: 'page', label: `${page} ${number}`, type: 'slack#/types/image', image_url: picture, alt_text }]),
      ...(link === undefined
        ? []
        : [{ key: 'file', label: file, type: 'string', value: cut(oneLine(reference.file), MAX_TITLE), link }]),
    ],
    number === undefined
      ? {}
      : { full_size_preview: { is_supported: true, preview_url: picture, mime_type: 'image/png' } },
  )
}
