import { createHash } from 'node:crypto'
import type { types } from '@slack/bolt'
import type { Card, Details } from '#bridge/port/forms.ts'
import type { Log } from '#bridge/port/platform.ts'
import { parseFields, text } from '#adapters/shared/json.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { ENTITY_TYPE } from '../config.ts'
import { slackCode } from '../errors.ts'
import { escapeMentions } from './markup.ts'
import { passageField } from './references.ts'

/** Cards of links as Work Objects: whoever presses one gets its details in a pane. */
export interface WorkObjects {
  /** False: Slack did not take them, and blocks are to be shown instead. */
  unfurl(message: { readonly channel: string; readonly ts: string }, cards: readonly Card[]): Promise<boolean>
}

const MAX_TITLE = 150
const MAX_TEXT = 3_000
const MAX_PASSAGE_BYTES = 2_000
const MAX_PASSAGES = 20

/** Slack names the entity of a press by this id, and takes few marks in it: an address has others. */
const refOf = (url: string) => createHash('sha256').update(url).digest('hex')

/** A string is literal without a format: it can neither format nor notify. */
const entity = (
  url: string,
  title: string,
  description: types.ContentItemEntityFields['description'],
  fields: types.EntityMetadata['entity_payload']['custom_fields'] = [],
): types.EntityMetadata => ({
  entity_type: ENTITY_TYPE,
  url,
  external_ref: { id: refOf(url) },
  entity_payload: {
    attributes: { title: { text: cut(title, MAX_TITLE) } },
    fields: { description },
    custom_fields: fields,
  },
})

export function createWorkObjects(api: Api, log: Log): WorkObjects {
  return {
    async unfurl(message, cards) {
      const entities = cards.map(({ url, title, text: words, note }) => ({
        ...entity(url, title, { value: cut(`${words}\n\n${note}`, MAX_TEXT), long: true }),
        app_unfurl_url: url,
      }))
      const args = { ...message, metadata: { entities } }
      try {
        const { warning } = await api.call('chat.unfurl', (web) => web.chat.unfurl(args), REPEATABLE)
        // Slack says ok to what it leaves out.
        if (warning === undefined || !warning.includes('metadata')) return true
        log.warn({ warning }, 'Slack left out a Work Object: its card is shown instead')
      } catch (error) {
        if (!hasCode(error, 'invalid')) throw error
        log.warn({ err: error }, 'Slack did not take a Work Object: its card is shown instead')
      }
      return false
    },
  }
}

/** Data of a press on a card that the answer to it needs. */
interface Opened {
  readonly trigger: string
  readonly url: string
  /** Absent: Slack did not say which entity it is. */
  readonly ref?: string
}

export const packDetails = (opened: Opened): string => JSON.stringify(opened)

/** A press waits three seconds, and is answered once: later answers are left. */
const TOO_LATE = ['invalid_trigger_id', 'expired_trigger_id', 'exchanged_trigger_id']

export async function presentDetails(api: Api, ticket: string, details: Details, log: Log): Promise<void> {
  const opened = parseFields(ticket)
  const [trigger_id = '', url = ''] = [text(opened, 'trigger'), text(opened, 'url')]
  const present = async (
    shown:
      | { metadata: types.EntityMetadata }
      | { error: { status: string; custom_message: string; message_format: string } },
  ) => api.call('entity.presentDetails', (web) => web.entity.presentDetails({ trigger_id, ...shown }), REPEATABLE_NOW)
  try {
    if ('refusal' in details)
      await present({ error: { status: 'custom', custom_message: details.refusal, message_format: 'markdown' } })
    else
      await present({
        metadata: { ...entityOf(url, details), external_ref: { id: text(opened, 'ref') ?? refOf(url) } },
      })
  } catch (error) {
    // No later answer would be shown.
    const level = TOO_LATE.includes(slackCode(error) ?? '') ? 'debug' : 'warn'
    log[level]({ err: error }, 'Slack did not show the details of a card to the person who opened it')
  }
}

function entityOf(url: string, { title, text: words, references }: Exclude<Details, { refusal: string }>) {
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
  return entity(url, title, description, fields)
}
