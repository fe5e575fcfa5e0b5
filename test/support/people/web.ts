import { toReason } from '#adapters/shared/reasons.ts'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebMessage } from '#adapters/web/protocol.ts'
import type { Footbridge } from '../footbridge.ts'
import { createBrowser } from '../web/browser.ts'
import { findButton, type Channel, type DroppedFile, type Message, type Workspace } from './workspace.ts'

export interface WebWorkspace extends Workspace {
  /** To send what the page would not. */
  browser(): ReturnType<typeof createBrowser>
}

/** A browser sends again what got no answer: its ids make that one message. */
async function persistently<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof TypeError) || tries > 100) throw error
      await sleep(50)
    }
  }
}

async function accepted(response: Promise<Response>): Promise<void> {
  const answer = await response
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

function toMessage(message: WebMessage): Message {
  const words = `${message.text}${message.streaming ? '▌' : ''}`
  const references = message.references.map(
    ({ number, file, place = '', version, droppedBy = '', passage }) =>
      `[${number}] ${file} ${place} v${version ?? '?'} ${droppedBy}: ${passage}`,
  )
  const buttons = message.actions.map(({ label }) => label)
  const files = message.attachments.map(({ name }) => name)
  const extras = [...files.map((name) => `(${name})`), ...buttons.map((label) => `[${label}]`)]
  return {
    id: message.id,
    ours: message.ours,
    text: [words, ...references].join('\n'),
    folded: [],
    buttons,
    files,
    line: [`${message.ours ? 'Footbridge' : message.author}: ${words}`, ...references, ...extras].join('\n'),
  }
}

/** The page as a browser speaks to it. Everybody who opens it is one and the same person, in every channel. */
export async function openWeb(): Promise<WebWorkspace> {
  let footbridge: Footbridge | undefined
  const channels: string[] = []

  // The address may be another one after a restart.
  const browser = () => {
    if (footbridge === undefined) throw new Error('The page is part of Footbridge: attach it first.')
    return createBrowser((request) => fetch(request), { origin: footbridge.url.replace(/\/$/, '') })
  }
  const history = async ({ id }: { readonly id: string }) => (await persistently(() => browser().history(id))).messages
  const messages: Workspace['messages'] = async (channel) => (await history(channel)).map(toMessage)
  const ours = async (channel: { readonly id: string }) => (await history(channel)).filter((message) => message.ours)

  async function upload(file: DroppedFile, query = ''): Promise<string> {
    const id = randomUUID()
    const { name, bytes, mimeType: type } = file
    const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes)
    await persistently(() => browser().upload(name, content, { id, type, query }))
    return id
  }

  return {
    service: 'web',
    env: {},
    secrets: [],
    browser,
    async attach(running) {
      footbridge = running
    },
    async addChannel(name) {
      const { id } = await browser().createChannel(name)
      channels.push(id)
      return { id, name, kind: 'public' }
    },
    directOf: (): Channel => ({ id: 'direct', name: 'direct', kind: 'direct' }),
    async say(name, channel, { text = '', mention = false, after, files = [], recording }) {
      const uploads: string[] = []
      for (const file of files) uploads.push(await upload(file))
      if (recording !== undefined) {
        const file = { name: 'memo.ogg', bytes: recording, mimeType: 'audio/ogg' }
        uploads.push(await upload(file, '&kind=voice&durationMs=3000'))
      }
      const root = (await history(channel)).find(({ id }) => id === after)
      const id = randomUUID()
      const called = mention && channel.kind !== 'direct' ? `@footbridge ${text}` : text
      const thread = after === undefined ? {} : { thread: root?.thread ?? after }
      const message = { id, name, text: called, files: uploads, ...thread }
      await persistently(() => browser().say(channel.id, message))
      return id
    },
    edit: (_channel, id, text) =>
      persistently(() => accepted(browser().send('PATCH', `/api/web/messages/${id}`, { text }))),
    remove: (_channel, id) => persistently(() => accepted(browser().send('DELETE', `/api/web/messages/${id}`, {}))),
    async pin(name, _channel, message) {
      const id = randomUUID()
      await persistently(() => accepted(browser().send('POST', `/api/web/messages/${message}/pin`, { id, name })))
    },
    async press(name, channel, wanted, typed, ticked = []) {
      const text = typed === undefined ? undefined : toReason(ticked, typed)
      // An answer that is written anew changes its buttons under the finger: look again and press.
      for (let tries = 0; ; tries += 1) {
        const { id, label } = findButton(await messages(channel), wanted)
        const found = (await history(channel)).find((message) => message.id === id)
        const action = found?.actions.find((each) => each.label === label)
        const body = { id: randomUUID(), action: action?.id, value: action?.value, name, text }
        const answer = await persistently(() => browser().send('POST', `/api/web/messages/${id}/actions`, body))
        if (answer.status !== 409 || tries > 50) return accepted(Promise.resolve(answer))
      }
    },
    messages,
    linkTo: ({ name }) => `#${name}`,
    mention: (person) => `@${person}`,
    async called() {
      const all = await Promise.all(channels.map((id) => history({ id })))
      return all
        .flat()
        .filter(({ notifies }) => notifies === true)
        .map(() => 'Ada')
    },
    async handedOut(channel) {
      const files = (await ours(channel)).flatMap(({ attachments }) => attachments)
      return Promise.all(
        files.map(async ({ id, name }) => {
          const response = await persistently(() => browser().request(`/api/web/files/${id}`))
          return { name, bytes: await response.bytes() }
        }),
      )
    },
    close: async () => {},
  }
}
