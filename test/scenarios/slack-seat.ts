import { startSlackDouble } from '../doubles/slack/double.ts'
import { holderOf, type Person, type Place, type Seat, type Seen } from './seat.ts'

/** Slack takes a dialog within three seconds of the press that asks for it. */
const TRIGGER_MS = 3000

export async function openSlackSeat(): Promise<Seat> {
  const slack = await startSlackDouble()
  const users = new Map<Person, string>(
    (['Ada', 'Ben'] as const).map((name) => [name, slack.addUser({ name, locale: 'en-GB' }).id]),
  )
  const idOf = (person: Person = 'Ada') => users.get(person) ?? ''
  const channel = slack.addChannel({ name: 'ferry', creator: idOf('Ada') })
  const other = slack.addChannel({ name: 'harbour', creator: idOf('Ada') })
  const direct = slack.addChannel({ kind: 'im' })
  const placeOf = (place: Place = 'channel') => ({ channel, other, direct })[place]
  for (const user of users.values()) slack.workspace.channel(channel).members.add(user)
  slack.workspace.channel(other).members.add(idOf('Ada'))
  slack.workspace.channel(direct).members.add(idOf('Ada'))
  const threadOf = (place: Place | undefined, ts: string) =>
    slack.transcript(placeOf(place)).find((shown) => shown.ts === ts)?.thread ?? ts
  const ours = (place?: Place) => slack.transcript(placeOf(place)).filter(({ own }) => own)
  const shown = async (place?: Place): Promise<readonly Seen[]> =>
    ours(place).map(({ ts, text, buttons, files, streaming }) => ({
      id: ts,
      text: `${text}${streaming ? '▌' : ''}`,
      buttons: buttons.map(({ label }) => label),
      files,
    }))
  return {
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      FILE_HOSTS: '127.0.0.1:*',
    },
    attach: async () => {},
    link: (place) => `<#${placeOf(place)}|${place === 'other' ? 'harbour' : 'ferry'}>`,
    name: (person) => `<@${idOf(person)}>`,
    async does({ place, by, text = '', mention = false, after, files = [], memo }) {
      const hosted = files.map((file) => slack.hostFile(file.bytes, file.name, file.mimeType))
      if (memo !== undefined) hosted.push(slack.hostVoice(memo))
      return slack.say({
        channel: placeOf(place),
        user: idOf(by),
        text,
        mention: mention && place !== 'direct',
        ...(after === undefined ? {} : { thread: threadOf(place, after) }),
        ...(hosted.length > 0 ? { files: hosted } : {}),
      }).ts
    },
    edits: async (ts, text) => void slack.editMessage(channel, ts, text),
    deletes: async (ts) => void slack.deleteMessage(channel, ts),
    pins: async (ts) => void slack.react({ channel, ts, user: idOf('Ada') }),
    async presses(wanted, { by, text, place } = {}) {
      const holder = holderOf(await shown(place), wanted)
      if (holder === undefined) throw new Error(`There is no button ${String(wanted)}.`)
      const press = () =>
        slack.pressButton({ channel: placeOf(place), user: idOf(by), button: holder.label, ts: holder.id })
      const isOpened = () =>
        slack
          .until(() => slack.dialog(idOf(by)), 'a dialog', TRIGGER_MS)
          .then(
            () => true,
            () => false,
          )
      press()
      if (text === undefined) return
      // Where the process was too busy to open it in time, nothing happens, and the person presses again.
      while (!(await isOpened())) press()
      slack.submitDialog(idOf(by), text)
    },
    shown,
    called: async () =>
      ours()
        .flatMap(({ notifies }) => notifies)
        .map((id) => slack.workspace.users.get(id)?.name ?? id),
    async handedOut(name) {
      const records = slack.workspace.messages
        .filter((message) => message.channel === channel && message.botId !== undefined)
        .flatMap(({ files }) => files)
      const id = String(records.findLast((record) => record['name'] === name)?.['id'])
      return slack.workspace.files.get(id)?.bytes ?? new Uint8Array()
    },
    close: () => slack.close(),
  }
}
