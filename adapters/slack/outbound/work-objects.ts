import { createHash } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { Card, Details } from '#bridge/port/forms.ts'
import type { InboundOf, Outgoing } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { parseFields, text } from '#adapters/shared/json.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { ENTITY_TYPES, type SlackOptions } from '../config.ts'
import { slackCode } from '../errors.ts'
import { escapeMentions } from './markup.ts'
import { passageField } from './references.ts'
import { entity, fileEntity, referenceCard, referenceEntity } from './reference-entity.ts'
import { textsFor } from './texts.ts'

/** Cards as Work Objects: whoever presses one gets its details in a pane. */
export interface WorkObjects {
  /** False: Slack did not take them, and blocks are to be shown instead. */
  unfurl(message: { readonly channel: string; readonly ts: string }, cards: readonly Card[]): Promise<boolean>
  /** Cards of the references of an answer; Slack makes no cards of links in our messages. */
  entitiesOf(outgoing: Outgoing): types.EntityMetadata[]
  /** Answers a press on a card. */
  present(ticket: string, details: Details): Promise<void>
}

const MAX_TEXT = 3_000
const MAX_PASSAGE_BYTES = 2_000
const MAX_PASSAGES = 20
/** Cards under an answer; the other references are lines. */
const MAX_CARDS = 5

/** Slack names the entity of a press by this id, and takes few marks in it: an address has others. */
const refOf = (url: string) => createHash('sha256').update(url).digest('hex')
const idOf = (answer: string, number: number) => `r-${answer}-${number}`
const REFERENCE = /^r-([\w-]{1,60})-(\d{1,4})$/

/** The reference of a card, by the id of its entity; undefined: it is the card of a link. */
export function referenceOf(ref: string | undefined): InboundOf<'details'>['reference'] {
  const [, answer, number] = REFERENCE.exec(ref ?? '') ?? []
  return answer === undefined ? undefined : { answer, number: Number(number) }
}

/** References of answers can be cards. */
export const opensReferences = ({ workObjects, publicUrl }: Pick<SlackOptions, 'workObjects' | 'publicUrl'>): boolean =>
  workObjects === true && publicUrl?.startsWith('https://') === true

/** Slack says ok to what it leaves out. */
export const isLeftOut = (warning: string | undefined): boolean => warning?.includes('metadata') === true

/** Data of a press on a card that the answer to it needs. */
interface Opened {
  readonly trigger: string
  readonly url: string
  /** Absent: Slack did not say which entity it is. */
  readonly ref?: string
  readonly locale?: string
}

export const packDetails = (opened: Opened): string => JSON.stringify(opened)

/** A press waits three seconds, and is answered once: later answers are left. */
const TOO_LATE = ['invalid_trigger_id', 'expired_trigger_id', 'exchanged_trigger_id']

type Parts = Pick<SlackOptions, 'publicUrl' | 'pictureOf'>

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createWorkObjects(api: Api, log: Log, { publicUrl = '', pictureOf }: Parts): WorkObjects {
  const toMetadata = (opened: ReturnType<typeof parseFields>, details: Exclude<Details, { refusal: string }>) => {
    const url = text(opened, 'url') ?? ''
    const id = text(opened, 'ref') ?? refOf(url)
    const language = text(opened, 'locale')
    if (!('reference' in details)) {
      const { file } = details
      if (file === undefined) return answerEntity({ url, id }, details)
      return fileEntity({ url, id }, { ...details, file }, textsFor(language).pane.beginning)
    }
    const { answer = '' } = referenceOf(id) ?? {}
    const picture = pictureOf?.(answer, details.reference.number)
    return referenceEntity({ url, id }, details, { picture, language })
  }

  return {
    async unfurl(message, cards) {
      const entities = cards.map((card) => ({ ...cardEntity(card), app_unfurl_url: card.url }))
      const args = { ...message, metadata: { entities } }
      try {
        const { warning } = await api.call('chat.unfurl', (web) => web.chat.unfurl(args), REPEATABLE)
        if (!isLeftOut(warning)) return true
        log.warn({ warning }, 'Slack left out a Work Object: its card is shown instead')
      } catch (error) {
        if (!hasCode(error, 'invalid')) throw error
        log.warn({ err: error }, 'Slack did not take a Work Object: its card is shown instead')
      }
      return false
    },
    entitiesOf: ({ cardsOf: { answer, at } = { answer: '', at: 0 }, references = [], text: label }) =>
      references.slice(0, MAX_CARDS).map((reference) => {
        const id = idOf(answer, reference.number)
        return referenceCard({ url: `${publicUrl}/#${id}`, id }, { reference, at }, label)
      }),
    async present(ticket, details) {
      const opened = parseFields(ticket)
      const trigger_id = text(opened, 'trigger') ?? ''
      const shown =
        'refusal' in details
          ? { error: { status: 'custom', custom_message: details.refusal, message_format: 'markdown' } }
          : { metadata: toMetadata(opened, details) }
      try {
        const present = { trigger_id, ...shown }
        await api.call('entity.presentDetails', (web) => web.entity.presentDetails(present), REPEATABLE_NOW)
      } catch (error) {
        // No later answer would be shown.
        const level = TOO_LATE.includes(slackCode(error) ?? '') ? 'debug' : 'warn'
        log[level]({ err: error }, 'Slack did not show the details of a card to the person who opened it')
      }
    },
  }
}

function cardEntity({ url, title, text: words, note, at, file }: Card) {
  const place = { url, id: refOf(url) }
  if (file !== undefined) return fileEntity(place, { title, text: words, at }, note)
  const description = { value: cut(`${words}\n\n${note}`, MAX_TEXT), long: true }
  return entity({ ...place, type: ENTITY_TYPES.answer, title, at }, { description })
}

function answerEntity(
  place: { readonly url: string; readonly id: string },
  { title, text: words, references, at }: Extract<Details, { references: unknown }>,
) {
  const fields = references
    .slice(0, MAX_PASSAGES)
    .map((reference, index) => ({
      key: `passage_${index + 1}`,
      type: 'string',
      long: true,
      ...passageField(reference, MAX_PASSAGE_BYTES),
    }))
  // The bridge wrote it as markdown, as in the chat.
  const description = { value: escapeMentions(cut(words, MAX_TEXT)), format: 'markdown', long: true }
  return entity({ ...place, type: ENTITY_TYPES.answer, title, at }, { description }, fields)
}
