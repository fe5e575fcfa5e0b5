import { describe, test } from 'vitest'
import { gatewayTimeout, type Fault } from '../doubles/platform/faults.ts'
import { ferry, mole, note } from './drops.ts'
import { openHostedStage, runs } from './stage.ts'

/** What an index trigger may meet although the pass goes on behind it; of silence itself the client tires after a minute. */
const LOST: readonly Fault[] = [
  gatewayTimeout(),
  { kind: 'drop', carryOut: true },
  { kind: 'hang', carryOut: true },
]
const away: Fault = { kind: 'status', status: 500, body: '{"message":"The disk is full"}' }

describe.concurrent.each(runs('discord'))('receipts on %s, %s', (service, _, rough) => {
  test('are one a drop, and follow a pass whose answer was lost to its end', async (context) => {
    const { drops, sees, count, platform, alarms } = await openHostedStage(service, rough, context)
    const { expect } = context
    const asked = () => platform.requests.filter(({ op }) => op === 'generate-index').length
    for (const [index, fault] of LOST.entries()) {
      const before = asked()
      platform.calm()
      platform.script('generate-index', fault)
      await drops(note(`tide-${index}.md`, 'High tide.'))
      if (fault.kind === 'hang') {
        await platform.seen('generate-index', before + 1)
        await sees(/tide-2\.md.*(?:indexing|wird indiziert)/)
        // At last the line goes, too: what was asked for may be under way.
        platform.sever()
      }
      await sees(new RegExp(`tide-${index}\\.md.*(?:ready|bereit) · 2`))
      expect(await count(new RegExp(`tide-${index}`))).toBe(1)
      // Nobody asks again for what may be under way; killed in between, one more is no harm.
      if (!rough) expect(asked()).toBe(before + 1)
    }

    // What comes while a pass runs shares the next one.
    const released = Promise.withResolvers<void>()
    const before = asked()
    platform.calm()
    platform.script('generate-index', { kind: 'delay', until: released.promise }, Infinity)
    await drops(note('ebb-1.md', 'Low tide.'))
    await platform.seen('generate-index', before + 1)
    await drops(note('ebb-2.md', 'Low tide.'), note('ebb-3.md', 'Low tide.'))
    await drops(note('ebb-4.md', 'Low tide.'))
    await sees(/ebb-2\.md.*(?:indexing|wird indiziert)[^]*ebb-3\.md.*(?:indexing|wird indiziert)/)
    await sees(/ebb-4\.md.*(?:indexing|wird indiziert)/)
    released.resolve()
    await sees(/ebb-2\.md.*(?:ready|bereit) · 2[^]*ebb-3\.md.*(?:ready|bereit) · 2/)
    await sees(/ebb-4\.md.*(?:ready|bereit) · 2/)
    if (!rough) expect(asked()).toBe(before + 2)
    expect(alarms().filter((line) => line.startsWith('50'))).toEqual([])
  }, 1_200_000)

  test('tell why a file failed, and try it again by a button and by a word', async (context) => {
    const { seat, act, asks, drops, sees, count, platform } = await openHostedStage(service, rough, context)
    const { expect } = context

    platform.script('upload', away, Infinity)
    await drops(ferry)
    await sees(
      /ferry\.md.*(?:failed|fehlgeschlagen): The disk is full\./,
      ({ buttons }) => buttons.includes('Retry') && buttons.includes('Remove'),
    )
    await asks('files')
    await sees(
      /1 file[^]*ferry\.md.* — 65 bytes · Ada, .* · failed: The disk is full/,
      ({ buttons }) => !buttons.includes('Retry'),
    )
    platform.calm()
    await act(() => seat.presses('Retry'))
    await sees(/ferry\.md.*(?:ready|bereit) · 2/)

    platform.script('generate-index', { kind: 'status', status: 500 }, Infinity)
    await drops(mole)
    await sees(/mole\.md.*(?:failed|fehlgeschlagen): /)
    platform.calm()
    await asks('retry mole.md')
    await sees(/Trying it again; the receipt where it was dropped/)
    await sees(/mole\.md.*(?:ready|bereit) · 2/)

    await drops({ name: 'setup.exe', bytes: 'MZ', mimeType: 'application/octet-stream' })
    const refused = await sees(/setup\.exe.*(?:failed|fehlgeschlagen): (?:this kind I can’t read|diese Art)/)
    expect(refused.buttons).not.toContain('Retry')
    await asks('retry setup.exe')
    await sees(/Another try of .*setup\.exe.* would end the same|No file here has failed/)

    await asks('When is the mole of the harbour closed?')
    await sees(/closed from November to March\. ?\[1\]/)
    expect(await count(/(?:ferry|mole)\.md.*(?:ready|bereit) · 2/)).toBe(2)
  }, 1_200_000)
})
