import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import type { DroppedFile } from '../support/whole/desk.ts'
import { openStage, runs } from './stage.ts'

const mole: DroppedFile = {
  name: 'mole.md',
  bytes: '# Mole\n\nThe mole of the harbour is closed from November to March.\n',
  mimeType: 'text/markdown',
}

const anybody = () => true
const QUESTION = 'When is the mole of the harbour closed?'
const NOTHING = /Not in (?:this channel’s|your) files|Not from files|none was dropped/

describe.concurrent.each(runs('web'))('channels beside each other on %s, %s', (service, _, rough) => {
  test('are asked from a direct message, linked and unlinked, and a lost collection is built again', async (context) => {
    const { seat, act, answers, sees, alarms, dataDir, url } = await openStage(service, rough, context)
    const { expect } = context

    await act(() => seat.does({ place: 'other', files: [mole] }))
    await sees(/mole\.md.*(?:ready|bereit)/, anybody, 'other')
    await act(() => seat.does({ text: QUESTION, mention: true }))
    await sees(NOTHING)

    // The page takes whoever sits there into every channel.
    await act(() => seat.does({ place: 'direct', text: `ask in ${seat.link('other')} ${QUESTION}` }))
    await sees(/closed from November to March\. ?\[1\][\s\S]*From the files of #harbour/, anybody, 'direct')

    await act(() => seat.does({ text: `link ${seat.link('other')}`, mention: true }))
    await sees(/Shall I link this channel|Soll ich diesen Kanal/, ({ buttons }) => buttons.length > 0)
    await act(() => seat.presses(/^(?:Link|Verknüpfen)$/))
    await sees(/uses the files of #harbour|nutzt ab jetzt die Dateien von #harbour/)
    await act(() => seat.does({ text: `${QUESTION} Tell me again.`, mention: true }))
    await answers(/closed from November to March\. ?\[1\]/)
    await act(() => seat.does({ text: 'unlink', mention: true }))
    await sees(/uses its own files again/)

    // Somebody deletes the collection behind our back.
    const authorization = readFileSync(join(dataDir, 'platform-key'), 'utf8').trim()
    const collections = new URL('/v1/collections/api/v1/collection/', url())
    const list = (await (await fetch(collections, { headers: { authorization } })).json()) as {
      name: string
    }[]
    for (const { name } of list) {
      await fetch(new URL(encodeURIComponent(name), collections), {
        method: 'DELETE',
        headers: { authorization },
      })
    }
    await act(() => seat.does({ place: 'other', text: QUESTION, mention: true }))
    await sees(
      /collection of this channel was removed/,
      ({ buttons }) => buttons.includes('Rebuild'),
      'other',
    )
    await act(() => seat.presses('Rebuild', { place: 'other' }))
    await sees(/built again: 1 file ready|wieder aufgebaut: 1 Datei bereit/, anybody, 'other')
    await act(() => seat.does({ place: 'other', text: `${QUESTION} I forgot.`, mention: true }))
    await sees(/closed from November to March\. ?\[1\]/, anybody, 'other')

    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
