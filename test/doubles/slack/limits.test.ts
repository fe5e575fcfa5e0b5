import { WebClient } from '@slack/web-api'
import { expect, onTestFinished, test } from 'vitest'
import { createSdkLogger } from '#adapters/slack/api.ts'
import { createLogSink } from '#test/adapters/slack/log-sink.ts'
import { startSlackDouble } from './double.ts'
import { type Limit, LIMITS } from './limits.ts'
import type { Json } from './types.ts'

const words = (count: number) => 'x'.repeat(count)
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const plain = (text: string) => ({ type: 'plain_text', text })
const section = (text: string) => ({ type: 'section', text: plain(text) })
const markdown = (text: string) => ({ type: 'markdown', text })
const button = (more: Json) => ({ type: 'button', action_id: 'a', text: plain('A'), ...more })
const actions = (...elements: readonly Json[]) => ({ type: 'actions', elements })
const container = (more: Json) => ({ type: 'container', title: plain('t'), child_blocks: [section('x')], ...more })
const link = (url: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url }] }],
})
const raw = (text: string) => ({ type: 'raw_text', text })
const dataTable = (rows: readonly (readonly Json[])[]) => ({ type: 'data_table', caption: 'c', rows })
const chart = (categories: readonly string[], more: { readonly series?: number; readonly title?: string } = {}) => ({
  type: 'data_visualization',
  title: more.title ?? 't',
  chart: {
    type: 'bar',
    series: many(more.series ?? 1, (at) => ({
      name: `s${at}`,
      data: categories.map((label) => ({ label, value: 1 })),
    })),
    axis_config: { categories },
  },
})
const option = (text: string, value = text) => ({ text: plain(text), value })

interface World {
  readonly thread: { readonly channel: string; readonly thread_ts: string }
  readonly direct: string
  readonly user: string
  readonly trigger: () => string
}
type Probe = (most: number, world: World) => readonly [method: string, args: Json]

const post =
  (make: (most: number) => Json): Probe =>
  (most, { thread }) => ['chat.postMessage', { ...thread, ...make(most) }]
const block = (make: (most: number) => Json): Probe => post((most) => ({ text: 'x', blocks: [make(most)] }))
const view =
  (make: (most: number) => Json): Probe =>
  (most, { trigger }) => {
    const shown = { type: 'modal', title: plain('t'), blocks: [section('x')], ...make(most) }
    return ['views.open', { trigger_id: trigger(), view: shown }]
  }
const input = (make: (most: number) => { readonly block?: Json; readonly element?: Json }): Probe =>
  view((most) => {
    const { block: more, element } = make(most)
    const field = { type: 'plain_text_input', action_id: 'a', ...element }
    const blocks = [{ type: 'input', block_id: 'b', label: plain('l'), element: field, ...more }]
    return { submit: plain('s'), blocks }
  })
const select = (options: (most: number) => readonly Json[]): Probe =>
  input((most) => ({ element: { type: 'static_select', options: options(most) } }))

/** Calls that reach each limit. */
const PROBES: Readonly<Record<Limit, Probe>> = {
  action_id: block((most) => actions(button({ action_id: words(most) }))),
  'attachments of a message': post((most) => ({ text: 'x', attachments: many(most, () => ({ text: 'x' })) })),
  'bars of a series': block((most) => chart(many(most, String))),
  block_id: block((most) => ({ ...section('x'), block_id: words(most) })),
  'blocks of a message': post((most) => ({ text: 'x', blocks: many(most, () => section('x')) })),
  'blocks of a view': (most, { user }) => [
    'views.publish',
    { user_id: user, view: { type: 'home', blocks: many(most, () => section(words(200))) } },
  ],
  'button text': block((most) => actions(button({ text: plain(words(most)) }))),
  'button url': block((most) => actions(button({ url: words(most) }))),
  'button value': block((most) => actions(button({ value: words(most) }))),
  callback_id: view((most) => ({ callback_id: words(most) })),
  'cells of all tables': block((most) => dataTable([[raw('h')], [raw(words(most - 1))]])),
  'channels on a page': (limit, { user }) => ['users.conversations', { user, limit }],
  'charts of a message': post((most) => ({ text: 'x', blocks: many(most, () => chart(['a'])) })),
  'child blocks of a container': block((most) => container({ child_blocks: many(most, () => section('x')) })),
  'columns of a table': block((most) => dataTable(many(2, () => many(most, () => raw('x'))))),
  'container subtitle': block((most) => container({ subtitle: plain(words(most)) })),
  'container title': block((most) => container({ title: plain(words(most)) })),
  'context element': block((most) => ({ type: 'context', elements: [plain(words(most))] })),
  'elements of a context block': block((most) => ({ type: 'context', elements: many(most, () => plain('x')) })),
  'elements of an actions block': block((most) => actions(...many(most, (at) => button({ action_id: `${at}` })))),
  'ephemeral message': (most, { thread: { channel }, user }) => [
    'chat.postEphemeral',
    { channel, user, text: words(most - 1000), blocks: [section(words(1000))] },
  ],
  external_id: view((most) => ({ external_id: words(most) })),
  'field of a section': block((most) => ({ type: 'section', fields: [plain(words(most))] })),
  'fields of a section': block((most) => ({ type: 'section', fields: many(most, () => plain('x')) })),
  header: block((most) => ({ type: 'header', text: plain(words(most)) })),
  'input hint': input((most) => ({ block: { hint: plain(words(most)) } })),
  'input label': input((most) => ({ block: { label: plain(words(most)) } })),
  'input max_length': input((most) => ({ element: { max_length: most } })),
  'label in a chart': block((most) => chart([words(most)])),
  'loading messages': (most, { thread: { channel, thread_ts } }) => [
    'assistant.threads.setStatus',
    { channel_id: channel, thread_ts, status: 'thinks', loading_messages: many(most, String) },
  ],
  'markdown block': block((most) => markdown(words(most))),
  'markdown blocks together': post((most) => ({ blocks: [markdown(words(6_000)), markdown(words(most - 6_000))] })),
  markdown_text: post((most) => ({ markdown_text: words(most) })),
  'members on a page': (limit, { thread: { channel } }) => ['conversations.members', { channel, limit }],
  'messages on a page': (limit, { thread: { channel } }) => ['conversations.history', { channel, limit }],
  'option text': select((most) => [option(words(most), 'v')]),
  'option value': select((most) => [option('o', words(most))]),
  'options of a select': select((most) => many(most, (at) => option(`${at}`))),
  placeholder: input((most) => ({ element: { placeholder: plain(words(most)) } })),
  private_metadata: view((most) => ({ private_metadata: words(most) })),
  'rich text link': block((most) => link(`https://a.example/${words(most - 18)}`)),
  'rows of a table': block((most) => dataTable(many(most, () => [raw('x')]))),
  'section text': block((most) => section(words(most))),
  'series of a chart': block((most) => chart(['a'], { series: most })),
  'session title': (most, { thread: { channel, thread_ts } }) => [
    'agents.sessions.setStatus',
    { channel_id: channel, thread_ts, status: 'active', title: words(most) },
  ],
  'streamed bytes': (most, { thread, user }) => [
    'chat.startStream',
    { ...thread, recipient_team_id: 'T0HOME', recipient_user_id: user, markdown_text: words(most) },
  ],
  'suggested prompts': (most, { direct }) => [
    'assistant.threads.setSuggestedPrompts',
    { channel_id: direct, prompts: many(most, () => ({ title: 't', message: 'm' })) },
  ],
  'tables of a message': post((most) => ({ text: 'x', blocks: many(most, () => dataTable([[raw('x')], [raw('x')]])) })),
  text: post((most) => ({ text: words(most) })),
  'texts of all blocks': post((most) => ({ blocks: [markdown(words(most - 3_000)), section(words(3_000))] })),
  'title of a chart': block((most) => chart(['a'], { title: words(most) })),
  'view close': view((most) => ({ close: plain(words(most)) })),
  'view submit': view((most) => ({ submit: plain(words(most)) })),
  'view title': view((most) => ({ title: plain(words(most)) })),
}

test.each(Object.keys(LIMITS) as Limit[])('the double takes as much as Slack and no more: %s', async (limit) => {
  const slack = await startSlackDouble()
  onTestFinished(() => slack.close())
  const { logger, apiUrl, token } = {
    logger: createSdkLogger(createLogSink().log),
    apiUrl: slack.apiUrl,
    token: slack.botToken,
  }
  const web = new WebClient(token, { slackApiUrl: apiUrl, retryConfig: { retries: 0 }, logger })
  const user = slack.addUser({ name: 'Ada' }).id
  const channel = slack.addChannel()
  slack.workspace.channel(channel).members.add(user)
  const { ts } = slack.say({ channel, user, text: 'how long?' })
  const world: World = {
    thread: { channel, thread_ts: ts },
    direct: slack.addChannel({ kind: 'im' }),
    user,
    trigger() {
      const id = slack.workspace.nextId('trigger.')
      slack.workspace.triggers.set(id, { user, at: Date.now() })
      return id
    },
  }
  const ask = async (most: number) => {
    const [method, args] = PROBES[limit](most, world)
    return web.apiCall(method, args).then(
      () => 'taken',
      (error: { data?: { error?: string }; message: string }) => error.data?.error ?? error.message,
    )
  }
  expect(await ask(LIMITS[limit])).toBe('taken')
  expect(await ask(LIMITS[limit] + 1)).toMatch(/^(?:invalid|msg|too_many)_/)
})
