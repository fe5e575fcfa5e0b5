import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebAdapter, type WebAdapter } from '#adapters/web/adapter.ts'
import type { WebHistory, WebMessage } from '#adapters/web/protocol.ts'
import type { Attachment } from '#bridge/port/message.ts'
import { adapterContract, type AdapterHarness, type Sent } from '#test/contract/adapter.ts'
import { createLogSink } from '#test/support/fakes/log.ts'
import { createBrowser, ORIGIN } from '#test/support/web/browser.ts'

const COOKIE_SECRET = 'open sesame, but longer'

adapterContract('web', async () => createHarness())

async function createHarness(): Promise<AdapterHarness> {
  const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-web-'))
  let downloads = 0
  const make = (): WebAdapter => {
    const adapter = createWebAdapter({
      dataDir,
      loopback: true,
      password: COOKIE_SECRET,
      publicUrl: ORIGIN,
      log: createLogSink(),
    })
    const open: WebAdapter['open'] = (attachment, signal) => {
      downloads += 1
      return adapter.open(attachment, signal)
    }
    return { ...adapter, open }
  }
  let adapter = make()
  const cookie = await logIn(adapter)
  const browser = createBrowser((request) => adapter.fetch(request), { cookie })
  const posts = new Map<string, () => Promise<Response>>()
  const answered = new Map<string, number>()

  /** Sends it as the page does; the answer is looked at later. */
  const say = async (channel: string, body: { text?: string; files?: string[] }): Promise<Sent> => {
    const id = crypto.randomUUID()
    const post = () => browser.post(channel, { id, ...body })
    posts.set(id, post)
    void post().then((response) => answered.set(id, response.status))
    return { id }
  }
  const sayFile = async (channel: string, name: string, bytes: Uint8Array, query: string, type: string) => {
    const file = await browser.upload(name, new Uint8Array(bytes), { query, type })
    return say(channel, { files: [file.id] })
  }
  return {
    get adapter() {
      return adapter
    },
    async restart() {
      await adapter.stop()
      adapter = make()
      return adapter
    },
    async close() {
      rmSync(dataDir, { recursive: true, force: true })
    },
    secrets: [COOKIE_SECRET, cookie],
    person: 'person',
    stranger: 'somebody',
    alone: true,
    readsOwn: true,
    async addRoom(name) {
      const { id } = await browser.createChannel(name)
      return { id, mention: `#${name}` }
    },
    mention: (text) => say('general', { text: `@footbridge ${text}` }),
    direct: (text) => say('direct', { text }),
    dropFile: (name, bytes) => sayFile('general', name, bytes, '', 'text/markdown'),
    voice: (bytes) => sayFile('direct', 'memo.webm', bytes, '&kind=voice&durationMs=2000', 'audio/webm'),
    redeliver: async ({ id }) => void (await posts.get(id)?.()),
    rewrite: async ({ id }, text) => {
      await browser.send('PATCH', `/api/web/messages/${id}`, { text: `@footbridge ${text}` })
    },
    unsay: async ({ id }) => void (await browser.request(`/api/web/messages/${id}`, { method: 'DELETE' })),
    async press(messageId, label) {
      const { messages } = await browser.history('general')
      const action = messages.find(({ id }) => id === messageId)?.actions.find((each) => each.label === label)
      if (!action) throw new Error(`There is no button ${label}.`)
      const press = { id: crypto.randomUUID(), action: action.id, value: action.value }
      await browser.send('POST', `/api/web/messages/${messageId}/actions`, press)
    },
    async fillIn(messageId, label, text) {
      const { messages } = await browser.history('general')
      const message = messages.find(({ id }) => id === messageId)
      const action = message?.actions.find((each) => each.label === label)
      const press = { id: crypto.randomUUID(), action: action?.id, value: action?.value, text }
      await browser.send('POST', `/api/web/messages/${messageId}/actions`, press)
      const begin = action?.prompt?.prefill === undefined ? '' : (message?.text ?? '')
      return { title: action?.prompt?.title ?? '', label: action?.prompt?.label ?? '', text: begin }
    },
    pin: async (messageId) => {
      await browser.send('POST', `/api/web/messages/${messageId}/pin`, { id: crypto.randomUUID() })
    },
    async download(messageId, name) {
      const { messages } = await browser.history('general')
      const message = messages.find(({ id }) => id === messageId)
      const file = message?.attachments.find((each) => each.name === name)
      const response = await browser.request(`/api/web/files/${file?.id}`)
      return new Uint8Array(await response.arrayBuffer())
    },
    acknowledged: ({ id }) => answered.get(id) === 201,
    async visible({ channel, thread }) {
      const messages: WebMessage[] = []
      let before: string | undefined
      do {
        const page: WebHistory = await browser.history(channel, before)
        messages.unshift(...page.messages)
        before = page.before ?? undefined
      } while (before !== undefined)
      return messages
        .filter((message) => message.ours && message.thread === thread)
        .map((message) => ({
          id: message.id,
          text: readable(message),
          notifies: message.notifies ? ['person'] : [],
          files: message.attachments.map(({ name }) => name),
          ...(message.private && { only: 'person' }),
        }))
    },
    massMentions: ['@everyone', '@channel'],
    downloads: () => downloads,
    foreign: async () => ({ attachments: FOREIGN, reached: () => 0 }),
    // The page and its service are one process: there is no wire that could fail between them.
    faults: [],
    fault: (kind) => {
      throw new Error(`The page has no fault ${kind}.`)
    },
  }
}

async function logIn(adapter: WebAdapter): Promise<string> {
  const response = await createBrowser((request) => adapter.fetch(request)).request('/login', {
    method: 'POST',
    body: new URLSearchParams({ password: COOKIE_SECRET }),
  })
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

function readable({ text, references, receipt }: WebMessage): string {
  const marks = references.map(({ number, file, place }) => `[${number}] ${file} ${place ?? ''}`)
  const files = receipt.map(({ file, state }) => `${file} ${state}`)
  return [text, ...marks, ...files].join('\n')
}

const FOREIGN: readonly Attachment[] = [
  'https://elsewhere.example/x',
  '../web.sqlite',
  '/etc/hostname',
  'unknown-upload',
].map((locator) => ({ id: 'foreign', name: 'x.md', mimeType: 'text/markdown', kind: 'document', locator }))
