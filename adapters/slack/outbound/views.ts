import { textsFor } from './texts.ts'
import type { types } from '@slack/bolt'
import type { Adapter, App } from '#bridge/port/adapter.ts'
import type { Card, Form, FormField, Overview } from '#bridge/port/forms.ts'
import type { NamedConversation } from '#bridge/port/message.ts'
import type { Log } from '#bridge/port/platform.ts'
import { type Fields, parseFields, text, toFields } from '#adapters/shared/json.ts'
import { cut } from '#adapters/shared/outgoing.ts'
import { hasCode } from '#adapters/shared/session.ts'
import { type Api, REPEATABLE, REPEATABLE_NOW } from '../api.ts'
import { channelsOfPerson } from '../calls/person-channels.ts'
import { slackCode } from '../errors.ts'
import { actionBlocks, type Blocks } from './buttons.ts'
import { openDirect } from './find-send.ts'
import { escapeMentions, escapeText, toMrkdwn } from './markup.ts'
import type { Statuses } from './status.ts'
import type { WorkObjects } from './work-objects.ts'

export const FORM_CALLBACK = 'fb:form'

/** https://docs.slack.dev/reference/views: blocks of a view, and lengths of their texts. */
const MAX_BLOCKS = 100
const MAX_SECTION = 2_900
const MAX_HEADING = 150
/** Slack counts an escaped mark as five characters: with the title this stays below its 3,000. */
const MAX_CARD = 400
const MAX_TITLE = 24
const MAX_OPTION = 75
/** Longest value of an option, with the `=` before it. */
const MAX_VALUE = 150
/** https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts */
const MAX_PROMPTS = 4

const plain = (words: string, most: number): types.PlainTextElement => ({
  type: 'plain_text',
  text: cut(words, most),
  emoji: false,
})

/** Data that a form needs at its submission, kept in the view. */
interface Origin {
  readonly channel: string
  readonly thread?: string
  readonly messageId: string
}

export const packOrigin = (origin: Origin): string => JSON.stringify(origin)

/** A dialog that opens at once, within the 3 s of a press, and is filled when the bridge knows its content. */
export const waitingView = (origin: string, language: string | undefined): types.ModalView => {
  const { close, oneMoment } = textsFor(language)
  return {
    type: 'modal',
    callback_id: FORM_CALLBACK,
    private_metadata: origin,
    title: plain('Footbridge', MAX_TITLE),
    close: plain(close, MAX_TITLE),
    blocks: [{ type: 'section', text: plain(oneMoment, MAX_SECTION) }],
  }
}

const option = ({ value, label }: FormField['options'][number]) => ({
  text: plain(label, MAX_OPTION),
  // Slack refuses an empty value.
  value: `=${value}`.slice(0, MAX_VALUE),
})

/** Slack's most for a field. */
const MAX_TYPED = 3_000

const textBlock = ({ id, label, text: typed }: FormField): types.KnownBlock => ({
  type: 'input',
  block_id: id,
  optional: true,
  label: plain(label, MAX_SECTION),
  element: {
    type: 'plain_text_input',
    action_id: id,
    max_length: MAX_TYPED,
    initial_value: typed?.slice(0, MAX_TYPED) || undefined,
  },
})

function fieldBlock(field: FormField): types.KnownBlock {
  if (field.text !== undefined) return textBlock(field)
  const { id, label, options, chosen } = field
  const initial = options.find(({ value }) => value === chosen)
  return {
    type: 'input',
    block_id: id,
    label: plain(label, MAX_SECTION),
    element: {
      type: 'static_select',
      action_id: id,
      options: options.map(option),
      initial_option: initial && option(initial),
    },
  }
}

function formView(form: Form, origin: string): types.ModalView {
  const note: Blocks = form.note === undefined ? [] : [{ type: 'section', text: plain(form.note, MAX_SECTION) }]
  const metadata = JSON.stringify({ ...parseFields(origin), action: form.action.id, value: form.action.value })
  return {
    type: 'modal',
    callback_id: FORM_CALLBACK,
    private_metadata: metadata,
    title: plain(form.title, MAX_TITLE),
    // A view without inputs may have no submit button.
    submit: form.fields.length === 0 ? undefined : plain(form.submit, MAX_TITLE),
    blocks: [...note, ...form.fields.map(fieldBlock)],
  }
}

/** A submitted form; undefined: not our form. */
export function readForm(view: Fields) {
  const kept = parseFields(text(view, 'private_metadata') ?? '')
  const id = text(view, 'id')
  const action = text(kept, 'action')
  const channel = text(kept, 'channel')
  if (id === undefined || action === undefined || channel === undefined) return undefined
  const blocks = Object.entries(toFields(toFields(view['state'])['values']))
  const values = blocks.map(([field, block]) => {
    const state = toFields(toFields(block)[field])
    const selected = toFields(state['selected_option'])
    const isTyped = text(state, 'type') === 'plain_text_input'
    return [field, isTyped ? (text(state, 'value') ?? '') : (text(selected, 'value') ?? '=').slice(1)] as const
  })
  const origin: Origin = { channel, thread: text(kept, 'thread'), messageId: text(kept, 'messageId') ?? '' }
  return { id, origin, action, value: text(kept, 'value') ?? '', values: JSON.stringify(Object.fromEntries(values)) }
}

const section = (markdown: string): types.KnownBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', text: cut(toMrkdwn(markdown).replaceAll(/^- /gm, '• '), MAX_SECTION), verbatim: true },
})

/** The blocks of App Home; those beyond Slack's limit are left out. */
function homeView(parts: NonNullable<Overview['parts']>): types.HomeView {
  const blocks: Blocks = parts.flatMap(({ heading, text: words, actions = [] }, index) => [
    ...(heading === undefined
      ? []
      : ([{ type: 'divider' }, { type: 'header', text: plain(heading, MAX_HEADING) }] satisfies Blocks)),
    section(words),
    ...actionBlocks(actions).map((block) => ({ ...block, block_id: `fb:home:${index}` })),
  ])
  return { type: 'home', blocks: blocks.slice(0, MAX_BLOCKS) }
}

const cardBlocks = ({ title, text: words, note }: Card): types.KnownBlock[] => [
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `*${literal(withoutStars(title))}*\n${literal(cut(words, MAX_CARD))}`,
      verbatim: true,
    },
  },
  { type: 'context', elements: [plain(note, MAX_OPTION * 4)] },
]

const literal = (words: string) => escapeText(escapeMentions(words))

/** Statuses of a session by the mark of its thread. */
const SESSION_OF = { asked: 'suspended', solved: 'closed' } as const

/** Stars would end the bold type. */
const withoutStars = (title: string) => title.replaceAll('*', '∗')

export interface Views
  extends Required<Pick<Adapter, 'showForm' | 'mark'>>, Omit<App, 'isInstalled' | 'opensReferences'> {}

interface ViewParts {
  readonly api: Api
  readonly team: () => string
  readonly setSession: Statuses['setIdle']
  readonly workObjects: WorkObjects
  /** False: cards are blocks. */
  readonly hasWorkObjects: boolean
  readonly log: Log
}

// oxlint-disable-next-line max-lines-per-function -- a factory: it only returns methods
export function createViews({ api, team, setSession, workObjects, hasWorkObjects, log }: ViewParts): Views {
  /** Direct messages with people, for the prompts in the agent tab. */
  async function suggest(user: string, prompts: Overview['prompts']): Promise<void> {
    const channel_id = await openDirect(api, user)
    if (channel_id === undefined) return
    const shown = prompts.slice(0, MAX_PROMPTS).map((prompt) => ({ ...prompt }))
    await api.call(
      'assistant.threads.setSuggestedPrompts',
      (web) => web.assistant.threads.setSuggestedPrompts({ channel_id, prompts: shown }),
      REPEATABLE_NOW,
    )
  }

  /** An organization (`E…`) is asked for the channels of one of its teams: the person's own. */
  async function teamWithin(user: string): Promise<string | undefined> {
    if (!team().startsWith('E')) return undefined
    const answer = await api.call('users.info', (web) => web.users.info({ user }), REPEATABLE)
    return text(toFields(answer.user), 'team_id')
  }

  return {
    async mark({ conversation, id: timestamp }, mark, isSet) {
      if (mark !== 'seen') return setSession(conversation, isSet ? SESSION_OF[mark] : 'active')
      const { channel } = conversation
      const args = { channel, timestamp, name: 'eyes' }
      try {
        await (isSet
          ? api.call('reactions.add', (web) => web.reactions.add(args), REPEATABLE_NOW)
          : api.call('reactions.remove', (web) => web.reactions.remove(args), REPEATABLE))
      } catch (error) {
        if (!['already_reacted', 'no_reaction'].includes(slackCode(error) ?? '')) throw error
      }
    },
    async showForm(_, ticket, form) {
      const fields = parseFields(ticket)
      const view_id = text(fields, 'view')
      if (view_id === undefined) return
      const view = formView(form, text(fields, 'origin') ?? '{}')
      try {
        await api.call('views.update', (web) => web.views.update({ view_id, view }), REPEATABLE)
      } catch (error) {
        // The person has closed it.
        if (slackCode(error) !== 'not_found') throw error
      }
    },
    async showOverview(_, user, { parts, prompts }) {
      const view = parts && homeView(parts)
      if (view) await api.call('views.publish', (web) => web.views.publish({ user_id: user, view }), REPEATABLE)
      if (prompts.length === 0) return
      await suggest(user, prompts).catch((error: unknown) =>
        log.debug({ err: error }, 'Slack did not take a prompt of the agent tab.'),
      )
    },
    async showCards({ conversation: { channel }, id: ts }, cards) {
      const unfurls = Object.fromEntries(cards.map((card) => [card.url, { blocks: cardBlocks(card) }]))
      if (hasWorkObjects && (await workObjects.unfurl({ channel, ts }, cards))) return
      await api.call('chat.unfurl', (web) => web.chat.unfurl({ channel, ts, unfurls }), REPEATABLE)
    },
    showDetails: async (_, ticket, details) => workObjects.present(ticket, details),
    async channelsOf(workspace, user) {
      const found: NamedConversation[] = []
      try {
        const team_id = await teamWithin(user)
        for await (const channel of channelsOfPerson(api, user, { team_id, exclude_archived: true })) {
          const id = text(channel, 'id')
          if (id === undefined) continue
          const conversation = { adapter: 'slack', workspace, channel: id, direct: false }
          found.push({ name: text(channel, 'name') ?? id, conversation })
        }
      } catch (error) {
        // Slack lists the channels of people of its own workspace only.
        if (!hasCode(error, 'not-found')) throw error
      }
      return workspace === team() ? found : []
    },
  }
}
