import { SCOPES } from '#adapters/slack/manifest.ts'
import { startSlackDouble, type SlackDouble } from '#test/doubles/slack/double.ts'
import type { Shown } from '#test/doubles/slack/transcript.ts'
import { findButton, type Channel, type ChatWorkspace, type WorkspaceOptions } from './workspace.ts'

/** Slack takes a dialog within three seconds of the press that asks for it. */
const TRIGGER_MS = 3000
const CREATING: readonly string[] = ['chat.postMessage', 'chat.postEphemeral', 'chat.startStream']

/** Callback ids by the names in the menu of a message. */
const SHORTCUTS: Readonly<Record<string, string>> = {
  'Ask about this': 'fb:ask',
  'Keep as knowledge': 'fb:save',
  Translate: 'fb:translate',
}

export interface SlackWorkspace extends ChatWorkspace {
  readonly slack: SlackDouble
  /** The id of a person. */
  userId(name: string): string
}

export async function openSlack({
  admin = 'Ada',
  overHttp = false,
  spread = false,
  ghostsMs,
}: WorkspaceOptions = {}): Promise<SlackWorkspace> {
  const slack = await startSlackDouble({ spread, ghostsMs })
  slack.workspace.scopes = SCOPES
  const signingSecret = crypto.randomUUID().replaceAll('-', '')
  const users = new Map<string, string>()
  const directs = new Map<string, Channel>()
  const nameOf = (id: string) => slack.workspace.users.get(id)?.name ?? id

  function userId(name: string): string {
    const id = users.get(name) ?? slack.addUser({ name, locale: 'en-GB' }).id
    users.set(name, id)
    return id
  }

  function line(shown: Shown): string {
    const said = shown.body.replaceAll(`<@${slack.botUserId}>`, '@Footbridge')
    const files = shown.files.map((name) => `(${name})`)
    const lines = shown.lines.map((each) => each.replaceAll(/, \d{1,2} \w{3} \d{4}/g, ', <day>'))
    const buttons = shown.buttons.map(({ label }) => `[${label}]`)
    const text = [said, ...files, ...lines, ...buttons].filter((part) => part !== '').join('\n')
    return `${shown.thread === undefined ? '' : '↳ '}${shown.own ? 'Footbridge' : nameOf(shown.user)}: ${text}${shown.streaming ? '▌' : ''}`
  }

  function addMembers(id: string, members: readonly string[]): void {
    for (const member of members) slack.workspace.channel(id).members.add(userId(member))
  }

  const messages: ChatWorkspace['messages'] = async ({ id }) =>
    slack
      .transcript(id)
      .map((shown) => ({
        id: shown.ts,
        ours: shown.own,
        text: `${shown.text}${shown.streaming ? '▌' : ''}`,
        only: shown.ephemeralTo && nameOf(shown.ephemeralTo),
        folded: shown.folded,
        buttons: shown.buttons.map(({ label }) => label),
        files: shown.files,
        line: line(shown),
      }))

  return {
    service: 'slack',
    slack,
    userId,
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      ...(overHttp ? { SLACK_SIGNING_SECRET: signingSecret } : { SLACK_APP_TOKEN: slack.appToken }),
      SLACK_API_URL: slack.apiUrl,
      FILE_HOSTS: '127.0.0.1:*',
    },
    secrets: [slack.botToken, slack.appToken, signingSecret],
    async attach({ url }) {
      if (overHttp) slack.postTo(new URL('/slack/events', url).href, signingSecret)
    },
    async addChannel(name, { kind = 'public', members = ['Ada', 'Ben'] } = {}) {
      const slackKind = kind === 'public' ? 'channel' : kind
      const id = slack.addChannel({ kind: slackKind, name, creator: userId(admin) })
      addMembers(id, members)
      return { id, name, kind }
    },
    directOf(person) {
      const known = directs.get(person)
      if (known !== undefined) return known
      const direct = { id: slack.addChannel({ kind: 'im' }), name: `${person}-direct`, kind: 'direct' } as const
      addMembers(direct.id, [person])
      directs.set(person, direct)
      return direct
    },
    async say(person, { id, kind }, { text, mention = false, after, files = [], recording, times, order }) {
      const hosted = files.map((file) => slack.hostFile(file.bytes, file.name, file.mimeType))
      if (recording !== undefined) hosted.push(slack.hostVoice(recording))
      const thread = slack.transcript(id).find(({ ts }) => ts === after)?.thread ?? after
      return slack.say({
        channel: id,
        user: userId(person),
        text,
        mention: mention && kind !== 'direct',
        thread,
        files: hosted.length > 0 ? hosted : undefined,
        times,
        order,
      }).ts
    },
    programId: (name) => `B0${name.toUpperCase()}`,
    async sayAsProgram(name, { id: channel }, { text, mention = false, files = [] }) {
      const bot = [...slack.workspace.users.values()].find((user) => user.name === name)
      const user = (bot ?? slack.addUser({ name, bot: true })).id
      const kept = { bot_id: `B0${name.toUpperCase()}`, app_id: `A0${name.toUpperCase()}` }
      const hosted = files.map((file) => slack.hostFile(file.bytes, file.name, file.mimeType))
      return slack.say({ channel, user, text, mention, kept, files: hosted.length > 0 ? hosted : undefined }).ts
    },
    edit: async ({ id }, ts, text) => void slack.editMessage(id, ts, text),
    remove: async ({ id }, ts) => void slack.deleteMessage(id, ts),
    async removeFile({ id }, ts, name) {
      const file = slack.workspace.message(id, ts)?.files.find((each) => each['name'] === name)
      slack.deleteFile(id, ts, String(file?.['id']))
    },
    pin: async (person, { id }, ts) => void slack.react({ channel: id, ts, user: userId(person) }),
    async press(person, channel, wanted, text, ticked) {
      const { id: ts, label } = findButton(await messages(channel), wanted)
      const user = userId(person)
      const press = () => slack.pressButton({ channel: channel.id, user, button: label, ts })
      const isOpened = () =>
        slack
          .until(() => slack.dialog(user), 'a dialog', TRIGGER_MS)
          .then(
            () => true,
            () => false,
          )
      press()
      if (text === undefined) return
      // A process that was too busy to open the dialog in time is pressed again.
      while (!(await isOpened())) press()
      slack.submitDialog(user, text, ticked)
    },
    messages,
    async command(person, { id: channel }, name, { options = {}, target } = {}) {
      const user = userId(person)
      const callback = SHORTCUTS[name]
      if (target !== undefined && callback !== undefined) slack.shortcut({ channel, ts: target, user, callback })
      else slack.command({ channel, user, text: [name, ...Object.values(options)].join(' ') })
    },
    linkTo: ({ id, name, kind }) => `<#${id}|${kind === 'private' ? '' : name}>`,
    addressOf: ({ id: channel }, ts) => `https://home.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
    mention: (person) => `<@${userId(person)}>`,
    called: async () =>
      [...slack.workspace.channels.keys()]
        .flatMap((id) => slack.transcript(id))
        .filter(({ own }) => own)
        .flatMap(({ notifies }) => notifies.map(nameOf)),
    handedOut: async ({ id }) =>
      slack.workspace.messages
        .filter(({ channel, botId, deleted }) => channel === id && botId !== undefined && !deleted)
        .flatMap(({ files }) => files)
        .map((file) => ({
          name: String(file['name']),
          bytes: slack.workspace.files.get(String(file['id']))?.bytes ?? new Uint8Array(),
        })),
    signs: () =>
      slack
        .callsOf('agents.sessions.setStatus')
        .map(({ args }) => String(args['status']))
        .filter((status) => status === 'processing'),
    calls: () =>
      slack.calls
        .filter(({ method, error }) => error === undefined && [...CREATING, 'chat.delete'].includes(method))
        .map(({ method }) => (method === 'chat.delete' ? 'delete' : 'create')),
    leave: (person, { id }) => void slack.workspace.channel(id).members.delete(userId(person)),
    join: (person, { id }) => addMembers(id, [person]),
    expel(person) {
      const user = slack.workspace.users.get(userId(person))
      // Slack lists the channels of a deactivated person as before: their kind alone tells.
      if (user !== undefined) slack.workspace.users.set(user.id, { ...user, deleted: true })
    },
    publish: ({ id }) => void slack.workspace.channels.set(id, { ...slack.workspace.channel(id), kind: 'channel' }),
    close: () => slack.close(),
  }
}
