import { randomUUID } from 'node:crypto'
import { createBrowser } from '../support/web/browser.ts'
import type { Footbridge } from '../support/whole/footbridge.ts'
import type { SaidFile } from './house.ts'

/** The web page beside the chat services: whoever opens it reads all of it, and nothing else. */
export interface Page {
  addChannel(name: string): Promise<string>
  say(
    channel: string,
    saying: { readonly text?: string; readonly files?: readonly SaidFile[] },
  ): Promise<void>
  /** What a browser can send without being asked to: status and body of the answer. */
  sends(method: string, path: string, body?: object): Promise<string>
  /** The newest message of ours in a channel, for buttons that nobody was shown. */
  newest(channel: string): Promise<string>
  /** Everything of ours in it: texts, references, buttons, and what is in the files. */
  shown(channel: string): Promise<string>
}

export function openPage({ url }: Footbridge): Page {
  const browser = createBrowser((request) => fetch(request), { origin: url.replace(/\/$/, '') })
  const ours = async (channel: string) =>
    (await browser.history(channel)).messages.filter((each) => each.ours)
  const sends: Page['sends'] = async (method, path, body) => {
    const response = await (body === undefined ? browser.request(path) : browser.send(method, path, body))
    return `${response.status} ${await response.text()}`
  }
  return {
    addChannel: async (name) => (await browser.createChannel(name)).id,
    async say(channel, { text = '', files = [] }) {
      const ids: string[] = []
      for (const file of files) {
        const id = randomUUID()
        const bytes = new TextEncoder().encode(file.text)
        await browser.upload(file.name, bytes, { id, type: 'text/markdown' })
        ids.push(id)
      }
      await browser.say(channel, { text: `@footbridge ${text}`, files: ids })
    },
    sends,
    newest: async (channel) => (await ours(channel)).at(-1)?.id ?? '',
    async shown(channel) {
      const messages = await ours(channel)
      const files = messages.flatMap(({ attachments }) => attachments)
      const contents = await Promise.all(files.map(({ id }) => sends('GET', `/api/web/files/${id}`)))
      return [JSON.stringify(messages), ...contents].join('\n\n')
    },
  }
}
