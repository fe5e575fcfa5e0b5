import { describe, test } from 'vitest'
import type { DroppedFile } from '../support/whole/desk.ts'
import { readMemo } from '../support/speech.ts'
import { openStage, runs } from './stage.ts'

const ferry: DroppedFile = {
  name: 'ferry.md',
  bytes: '# Ferry\n\nThe ferry to the island leaves at 9:40 from pier seven.\n',
  mimeType: 'text/markdown',
}

const lighthouse: DroppedFile = {
  name: 'lighthouse.md',
  bytes: '# Lighthouse\n\nThe lighthouse is open to visitors on Sunday afternoons.\n',
  mimeType: 'text/markdown',
}

// Each has a service and a process of its own, and mostly waits.
describe.concurrent.each(runs('discord'))('talk on %s, %s', (service, _, rough) => {
  test('goes from a question that nobody answers to a person, a file and a cited answer', async (context) => {
    const { seat, act, sees, answers, count, alarms } = await openStage(service, rough, context)
    const { expect } = context
    const asks = (text: string, after?: string) =>
      act(() => seat.does({ text, mention: true, ...(after === undefined ? {} : { after }) }))

    await act(() => seat.does({ by: 'Ben', files: [lighthouse] }))
    await sees(/lighthouse\.md.*(?:ready|bereit)/)

    await asks('Who paints the lighthouse?')
    await sees(/Not in this channel’s files/, ({ buttons }) => buttons.includes('Ask a person'))
    await asks('gaps')
    await sees(/Who paints the lighthouse\?.*Ada/)
    await act(() => seat.presses('Ask a person'))
    const wanted = await sees(/Who knows this\?[\s\S]*Who paints the lighthouse\?/)
    // Who asks is not asked; on the page there is nobody else.
    const others = service === 'web' ? [] : ['Ben']
    await expect.poll(() => seat.called()).toEqual(others)
    await act(() =>
      seat.does({ by: 'Ben', text: 'Old Tomas paints the lighthouse every spring.', after: wanted.id }),
    )
    await sees(/Shall I file this answer/, ({ buttons }) => buttons.includes('File this answer'))
    await act(() => seat.presses('File this answer', { by: 'Ben' }))
    await sees(/\d{4}-\d{2}-\d{2} Who paints the lighthouse\.md.*(?:ready|bereit)/)
    await asks('Who paints the lighthouse these days?')
    const cited = await answers(
      /Old Tomas paints the lighthouse every spring\. ?\[1\]|paints.*\[1\]/,
      ({ text }) => !text.includes('Shall I'),
    )
    expect(cited.text).toMatch(/\[1\].*\.md/)
    await asks('gaps')
    await sees(/No question is open here/)

    expect(await count(/Who knows this\?/)).toBe(1)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)

  test('is answered anew, judged, followed up, kept as a file, spoken and put right', async (context) => {
    const { seat, act, pins, sees, count, spoken, alarms } = await openStage(service, rough, context)
    const { expect } = context
    await act(() => seat.does({ files: [ferry] }))
    await sees(/ferry\.md.*(?:ready|bereit)/)

    await act(() => seat.does({ text: 'From which pier does the ferry leave?', mention: true }))
    const answer = await sees(/from pier seven\. ?\[1\]/, ({ buttons }) => buttons.includes('↻'))
    await act(() => seat.presses('↻'))
    await expect.poll(() => count(/from pier seven\. ?\[1\]/)).toBe(1)
    await act(() => seat.presses('👎', { text: 'the wrong pier' }))
    await act(() => seat.does({ text: 'And when does it leave?', after: answer.id }))
    await sees(/9:40/, ({ id }) => id !== answer.id)

    await pins(answer.id)
    const receipt = await sees(/\d{4}-\d{2}-\d{2}.*\.md.*(?:ready|bereit)/)
    // Once more is the same event.
    await act(() => seat.pins(answer.id))
    await expect.poll(() => count(/\d{4}-\d{2}-\d{2}.*\.md.*(?:ready|bereit)/)).toBeGreaterThan(0)
    expect(receipt.text).not.toContain('(2)')

    spoken.push('From which pier does the fairy leave?')
    await act(() =>
      seat.does({
        memo: Uint8Array.from(readMemo('lighthouse.ogg')),
      }),
    )
    await sees(/🎙️ “From which pier does the fairy leave\?”/, ({ buttons }) => buttons.includes('Edit'))
    await act(() => seat.presses('Edit', { text: 'From which pier does the ferry leave?' }))
    const heard = await sees(/✏️ “From which pier does the ferry leave\?”/)
    await expect.poll(() => count(/🎙️/)).toBe(0)
    expect(await count(/✏️/)).toBe(1)
    await act(() => seat.presses('Keep as a file'))
    await sees(/From which pier.*\.md.*(?:ready|bereit)/, ({ id }) => id !== heard.id)

    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)
})
