import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toAttachment } from '#adapters/slack/inbound/attachment.ts'
import { createSlackAdapter } from '#adapters/slack/adapter.ts'
import type { Adapter } from '#bridge/port/adapter.ts'
import { adapterContract, type AdapterHarness, type FaultKind } from '#test/contract/adapter.ts'
import { startSlackDouble, type SlackDouble } from '#test/doubles/slack/double.ts'
import type { Said } from '#test/doubles/slack/people.ts'
import { isJson, type Json } from '#test/doubles/slack/types.ts'
import { createLogSink } from './log-sink.ts'

async function createElsewhere() {
  let reached = 0
  const server = createServer((_request, response) => {
    reached += 1
    response.end('stolen')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/x.md`, reached: () => reached, close: () => server.close() }
}

function begin(slack: SlackDouble, kind: FaultKind): () => void {
  const method = 'chat.postMessage'
  if (kind === 'held') {
    const { promise, resolve } = Promise.withResolvers<void>()
    slack.script(method, { until: promise })
    return resolve
  }
  const faults = {
    'rate-limited': [{ status: 429, retryAfter: 1 }],
    'lost-reply': [{ drop: 'after' }],
    refused: [{ error: 'not_in_channel' }],
    unreachable: Array.from({ length: 5 }, () => ({ drop: 'before' }) as const),
  } as const
  slack.script(method, ...faults[kind])
  return () => slack.unscript(method)
}

const words = (value: unknown) => (isJson(value) ? String(value['text']) : '')

/** The visible texts of a dialog. */
function readView(view: Json) {
  const [block] = Array.isArray(view['blocks']) ? view['blocks'].filter(isJson) : []
  const element = isJson(block?.['element']) ? block['element'] : {}
  const text = typeof element['initial_value'] === 'string' ? element['initial_value'] : ''
  return { title: words(view['title']), label: words(block?.['label']), text }
}

async function createHarness(): Promise<AdapterHarness> {
  const slack = await startSlackDouble()
  const elsewhere = await createElsewhere()
  const user = slack.addUser({ name: 'Ada' }).id
  const channel = slack.addChannel()
  const direct = slack.addChannel({ kind: 'im' })
  const said = new Map<string, Said>()
  const make = (botToken = slack.botToken): Adapter =>
    createSlackAdapter({
      botToken,
      appToken: slack.appToken,
      apiUrl: slack.apiUrl,
      fileHosts: [slack.fileHost],
      log: createLogSink().log,
      appendIntervalMs: 0,
    })
  const adapter = make()
  const keep = async (one: Said) => {
    said.set(one.ts, one)
    return { id: one.ts }
  }
  const envelopesOf = (id: string) => said.get(id)?.envelopes ?? []
  const written = async (fields: object) => {
    const ts = slack.workspace.nextTs()
    slack.sendEvent({ type: 'message', channel, channel_type: 'channel', ts, event_ts: ts, ...fields })
    return { id: ts }
  }
  return {
    adapter,
    restart: async () => {
      await adapter.stop()
      return make()
    },
    close: async () => {
      elsewhere.close()
      await slack.close()
    },
    secrets: [slack.botToken, slack.appToken],
    person: user,
    stranger: slack.addUser({ name: 'Bob' }).id,
    alone: true,
    readsOwn: true,
    admin: async () => slack.addUser({ name: 'Root', admin: true }).id,
    async addRoom(name) {
      const id = slack.addChannel({ name })
      return { id, mention: `<#${id}|${name}>` }
    },
    leave: async (id) => void slack.workspace.channel(id).members.delete(user),
    mention: async (text) => keep(slack.say({ channel, user, text, mention: true })),
    direct: async (text) => keep(slack.say({ channel: direct, user, text })),
    dropFile: async (name, bytes) =>
      keep(slack.say({ channel, user, files: [slack.hostFile(bytes, name, 'text/markdown')] })),
    voice: async (bytes) => keep(slack.say({ channel, user, files: [slack.hostVoice(bytes)] })),
    otherBot: async (text, mentionsUs) =>
      written({ subtype: 'bot_message', bot_id: 'B0OTHER', text: mentionsUs ? `<@${slack.botUserId}> ${text}` : text }),
    ownEcho: async (text) => written({ user: slack.botUserId, bot_id: slack.workspace.botId, text }),
    redeliver: async ({ id }) => envelopesOf(id).forEach((envelope) => slack.resend(envelope)),
    twins: async (text, first) =>
      keep(
        slack.say({
          channel,
          user,
          text,
          mention: true,
          files: [slack.hostFile('x', 'x.md', 'text/markdown')],
          order: first === 'poorer' ? 'mention-first' : 'message-first',
        }),
      ),
    rewrite: async ({ id }, text) => void slack.editMessage(channel, id, `<@${slack.botUserId}> ${text}`),
    unsay: async ({ id }) => void slack.deleteMessage(channel, id),
    press: async (ts, button) => void slack.pressButton({ channel, user, button, ts }),
    async fillIn(ts, button, text) {
      slack.pressButton({ channel, user, button, ts })
      const { view } = await slack.until(() => slack.dialog(user), 'a dialog')
      slack.submitDialog(user, text)
      return readView(view)
    },
    pin: async (ts) => void slack.react({ channel, ts, user }),
    async foreignPins(ts) {
      slack.react({ channel, ts, user: slack.botUserId })
      slack.react({ channel, ts, user: slack.addUser({ bot: true }).id })
      slack.react({ channel, ts, user, name: 'round_pushpin' })
    },
    async download(ts, name) {
      const shown = slack.workspace.message(channel, ts)
      const record = shown?.files.find((each) => each['name'] === name)
      return slack.workspace.files.get(String(record?.['id']))?.bytes ?? Uint8Array.of()
    },
    acknowledged: ({ id }) => envelopesOf(id).every((envelope) => envelope.ackedAt !== undefined),
    visible: async (conversation) =>
      slack
        .transcript(conversation.channel, conversation.thread)
        .filter((message) => message.own)
        .map(({ ts, text, notifies, files, ephemeralTo }) => ({
          id: ts,
          text,
          notifies,
          files,
          ...(ephemeralTo === undefined ? {} : { only: ephemeralTo }),
        })),
    massMentions: ['<!channel>', '<!here>', '<!everyone>', '<!subteam^S1>', `<@${user}>`],
    downloads: () => slack.calls.filter((call) => call.method.startsWith('file:')).length,
    foreign: async () => {
      const fields = { url_private: elsewhere.url, url_private_download: elsewhere.url }
      const redirected = slack.hostFile('x', 'x.md', 'text/markdown')
      slack.script(`file:${redirected.id}`, { redirect: elsewhere.url })
      const files = [slack.hostFile('x', 'x.md', 'text/markdown', fields), redirected]
      return { attachments: files.map((file) => toAttachment(file, channel)), reached: elsewhere.reached }
    },
    faults: ['rate-limited', 'held', 'lost-reply', 'refused', 'unreachable'],
    fault: (kind) => begin(slack, kind),
    unauthorized: () => make('xoxb-wrong'),
  }
}

adapterContract('slack', createHarness)
