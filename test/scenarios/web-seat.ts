import { randomUUID } from 'node:crypto'
import { createBrowser } from '../support/web/browser.ts'
import type { Footbridge } from '../support/whole/footbridge.ts'
import { holderOf, type Place, type Seat, type Seen } from './seat.ts'

/** A browser sends again what it got no answer to: its ids make that one message. */
async function persistently<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof TypeError) || tries > 100) throw error
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
  }
}

async function accepted(response: Promise<Response>): Promise<void> {
  const answer = await response
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

/** The page as a browser speaks to it, over its socket. */
export async function openWebSeat(): Promise<Seat> {
  let footbridge: Footbridge | undefined
  let channel = ''
  let other = ''
  const placeOf = (place: Place = 'channel') => ({ channel, other, direct: 'direct' })[place]
  const browser = () => {
    if (footbridge === undefined) throw new Error('The page is part of Footbridge: attach it first.')
    // The address may be another one after a restart.
    return createBrowser((request) => fetch(request), { origin: footbridge.url.replace(/\/$/, '') })
  }

  const history = async (place?: Place) =>
    (await persistently(() => browser().history(placeOf(place)))).messages
  const shown = async (where?: Place): Promise<readonly Seen[]> =>
    (await history(where))
      .filter(({ ours }) => ours)
      .map(({ id, text, references, actions, streaming, attachments }) => ({
        id,
        text: [
          `${text}${streaming ? '▌' : ''}`,
          ...references.map(
            ({ number, file, place = '', version, droppedBy = '', passage }) =>
              `[${number}] ${file} ${place} v${version ?? '?'} ${droppedBy}: ${passage}`,
          ),
        ].join('\n'),
        buttons: actions.map(({ label }) => label),
        files: attachments.map(({ name }) => name),
      }))

  return {
    env: {},
    async attach(running) {
      footbridge = running
      if (channel !== '') return
      channel = (await browser().createChannel('ferry')).id
      other = (await browser().createChannel('harbour')).id
    },
    link: (place) => (place === 'other' ? '#harbour' : '#ferry'),
    name: (person) => `@${person}`,
    async does({ place, by = 'Ada', text = '', mention = false, after, files = [], memo }) {
      const uploads: string[] = []
      for (const { name, bytes, mimeType } of files) {
        const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes)
        const id = randomUUID()
        await persistently(() => browser().upload(name, content, { id, type: mimeType }))
        uploads.push(id)
      }
      if (memo !== undefined) {
        const id = randomUUID()
        const query = '&kind=voice&durationMs=3000'
        await persistently(() => browser().upload('memo.ogg', memo, { id, type: 'audio/ogg', query }))
        uploads.push(id)
      }
      const root = (await history(place)).find(({ id }) => id === after)
      const id = randomUUID()
      await persistently(() =>
        browser().say(placeOf(place), {
          id,
          name: by,
          text: mention && place !== 'direct' ? `@footbridge ${text}` : text,
          files: uploads,
          ...(after === undefined ? {} : { thread: root?.thread ?? after }),
        }),
      )
      return id
    },
    edits: (id, text) =>
      persistently(() => accepted(browser().send('PATCH', `/api/web/messages/${id}`, { text }))),
    deletes: (id) => persistently(() => accepted(browser().send('DELETE', `/api/web/messages/${id}`, {}))),
    async pins(message) {
      const id = randomUUID()
      await persistently(() =>
        accepted(browser().send('POST', `/api/web/messages/${message}/pin`, { id, name: 'Ada' })),
      )
    },
    async presses(wanted, { by = 'Ada', text, place } = {}) {
      // An answer that is being written anew changes its buttons under the finger: look again and press.
      for (let tries = 0; ; tries += 1) {
        const holder = holderOf(await shown(place), wanted)
        const message = (await history(place)).find(({ id }) => id === holder?.id)
        const action = message?.actions.find(({ label }) => label === holder?.label)
        if (message === undefined || action === undefined) {
          throw new Error(`There is no button ${String(wanted)}.`)
        }
        const body = {
          id: randomUUID(),
          action: action.id,
          value: action.value,
          name: by,
          ...(text === undefined ? {} : { text }),
        }
        const path = `/api/web/messages/${message.id}/actions`
        const answer = await persistently(() => browser().send('POST', path, body))
        if (answer.status !== 409 || tries > 50) return accepted(Promise.resolve(answer))
      }
    },
    shown,
    called: async () => (await history()).filter(({ notifies }) => notifies === true).map(() => 'Ada'),
    async handedOut(name) {
      const given = (await history()).filter(({ ours }) => ours).flatMap(({ attachments }) => attachments)
      const id = given.findLast((file) => file.name === name)?.id ?? ''
      return (await persistently(() => browser().request(`/api/web/files/${id}`))).bytes()
    },
    close: async () => {},
  }
}
