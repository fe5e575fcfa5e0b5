import { startSlackDouble, type SlackDouble, type SlackDoubleOptions } from '../../doubles/slack/double.ts'
import type { Shown } from '../../doubles/slack/transcript.ts'
import type { Desk, Doing, Where } from './desk.ts'

export interface SlackDesk extends Desk {
  readonly slack: SlackDouble
  readonly ada: string
  readonly channel: string
  readonly direct: string
}

const CREATING: readonly string[] = ['chat.postMessage', 'chat.postEphemeral', 'chat.startStream']

/** Ada in a channel and in a direct conversation of a pretended workspace. */
export async function openSlackDesk(
  options: SlackDoubleOptions & { readonly locale?: string } = {},
): Promise<SlackDesk> {
  const slack = await startSlackDouble(options)
  const ada = slack.addUser({ name: 'Ada', locale: options.locale ?? 'en-GB' }).id
  const people = new Map([['Ada', ada]])
  const personOf = (name: string): string => {
    const known = people.get(name) ?? slack.addUser({ name, locale: options.locale ?? 'en-GB' }).id
    people.set(name, known)
    return known
  }
  const nameOf = (id: string) => [...people].find(([, known]) => known === id)?.[0] ?? 'Ada'
  const channel = slack.addChannel({ name: 'ferry' })
  const direct = slack.addChannel({ kind: 'im' })
  const placeOf = ({ direct: isDirect, place }: Where = {}) => place ?? (isDirect === true ? direct : channel)
  const threadOf = (place: string, ts: string) =>
    slack.transcript(place).find((shown) => shown.ts === ts)?.thread ?? ts

  function view(shown: Shown): string {
    const said = shown.body.replaceAll(`<@${slack.botUserId}>`, '@Footbridge')
    const files = shown.files.map((name) => `(${name})`)
    const lines = shown.lines.map((line) => line.replaceAll(/, \d{1,2} \w{3} \d{4}/g, ', <day>'))
    const buttons = shown.buttons.map(({ label }) => `[${label}]`)
    const text = [said, ...files, ...lines, ...buttons].filter((part) => part !== '').join('\n')
    return `${shown.thread === undefined ? '' : '↳ '}${shown.own ? 'Footbridge' : nameOf(shown.user)}: ${text}${shown.streaming ? '▌' : ''}`
  }

  function does(doing: Doing): string {
    const place = placeOf(doing)
    const files = (doing.files ?? []).map(({ bytes, name, mimeType }) =>
      slack.hostFile(bytes, name, mimeType),
    )
    if (doing.memo !== undefined) files.push(slack.hostVoice(doing.memo))
    const { ts } = slack.say({
      channel: place,
      user: personOf(doing.by ?? 'Ada'),
      ...(doing.text === undefined ? {} : { text: doing.text }),
      ...(doing.mention === undefined ? {} : { mention: doing.mention }),
      ...(doing.after === undefined ? {} : { thread: threadOf(place, doing.after) }),
      ...(doing.times === undefined ? {} : { times: doing.times }),
      ...(doing.order === undefined ? {} : { order: doing.order }),
      ...(files.length === 0 ? {} : { files }),
    })
    return ts
  }

  return {
    service: 'slack',
    slack,
    ada,
    channel,
    direct,
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      FILE_HOSTS: '127.0.0.1:*',
    },
    secrets: [slack.botToken, slack.appToken],
    addPlace: () => slack.addChannel(),
    does,
    sees: (where) => slack.transcript(placeOf(where)).map(view),
    ours: (where) =>
      slack
        .transcript(placeOf(where))
        .filter(({ own }) => own)
        .map(({ ts }) => ts),
    folded: () => slack.transcript(channel).flatMap(({ folded }) => folded),
    press: (button) => void slack.pressButton({ channel, user: ada, button }),
    pin: (ts) => void slack.react({ channel, ts, user: ada }),
    wire: () =>
      slack.calls
        .filter(({ method, error }) => error === undefined && [...CREATING, 'chat.delete'].includes(method))
        .map(({ method }) => (method === 'chat.delete' ? 'delete' : 'create')),
    signs: () =>
      slack
        .callsOf('assistant.threads.setStatus')
        .map(({ args }) => String(args['status']))
        .filter((status) => status !== ''),
    until: (look, what) => slack.until(look, what),
    close: () => slack.close(),
  }
}
