import { createPlatformClient } from '#platform/client/client.ts'
import { gatewayTimeout, type Fault } from '../doubles/platform/faults.ts'
import { ferry, mole, note } from './drops.ts'
import { hostedScenario } from './scenario.ts'

/** Answers that an index trigger may get although the pass goes on; of silence itself the client tires after a minute. */
const LOST: readonly Fault[] = [gatewayTimeout(), { kind: 'drop', carryOut: true }, { kind: 'hang', carryOut: true }]
const away: Fault = { kind: 'status', status: 500, body: '{"message":"The disk is full"}' }
const refused: Fault = { kind: 'status', status: 413, body: '{"detail":"Not this one."}' }

hostedScenario(
  'receipts are one a drop, and follow a pass whose answer was lost to its end',
  { killedOn: 'discord' },
  async ({ ada, platform, rough, errors, expect }) => {
    const asked = () => platform.requests.filter(({ op }) => op === 'generate-index').length
    for (const [index, fault] of LOST.entries()) {
      const before = asked()
      platform.calm()
      platform.script('generate-index', fault)
      await ada.drops(note(`tide-${index}.md`, 'High tide.'))
      if (fault.kind === 'hang') {
        await platform.seen('generate-index', before + 1)
        await ada.sees(/tide-2\.md.*indexing/)
        // At last the line goes, too: the request may be under way.
        platform.sever()
      }
      await ada.sees(new RegExp(`tide-${index}\\.md.*ready`))
      expect(await ada.count(new RegExp(`tide-${index}`))).toBe(1)
      // A request that may be under way is not repeated; killed in between, one more is no harm.
      if (!rough) expect(asked()).toBe(before + 1)
    }

    // Files that come while a pass runs share the next one.
    const released = Promise.withResolvers<void>()
    const before = asked()
    platform.calm()
    platform.script('generate-index', { kind: 'delay', until: released.promise }, Infinity)
    await ada.drops(note('ebb-1.md', 'Low tide.'))
    await platform.seen('generate-index', before + 1)
    await ada.drops(note('ebb-2.md', 'Low tide.'), note('ebb-3.md', 'Low tide.'))
    await ada.drops(note('ebb-4.md', 'Low tide.'))
    await ada.sees(/ebb-2\.md.*indexing[^]*ebb-3\.md.*indexing/)
    await ada.sees(/ebb-4\.md.*indexing/)
    released.resolve()
    await ada.sees(/ebb-2\.md.*ready[^]*ebb-3\.md.*ready/)
    await ada.sees(/ebb-4\.md.*ready/)
    if (!rough) expect(asked()).toBe(before + 2)
    expect(errors()).toEqual([])
  },
)

hostedScenario(
  'receipts tell why a file failed, and it is tried again by a button and by a word',
  { killedOn: 'web' },
  async ({ ada, platform, expect }) => {
    platform.script('upload', away, Infinity)
    await ada.drops(ferry)
    await ada.sees(
      /ferry\.md.*failed\. The disk is full\./,
      ({ buttons }) => buttons.includes('Retry') && buttons.includes('Remove'),
    )
    await ada.asks('files')
    await ada.sees(
      /1 file[^]*ferry\.md.* — 65 bytes · Ada, .* · failed\. The disk is full/,
      ({ buttons }) => !buttons.includes('Retry'),
    )
    platform.calm()
    await ada.presses('Retry')
    await ada.sees(/ferry\.md.*ready/, ({ buttons }) => !buttons.includes('Retry'))

    platform.script('generate-index', { kind: 'status', status: 500 }, Infinity)
    await ada.drops(mole)
    await ada.sees(/mole\.md.*failed\. /)
    platform.calm()
    await ada.asks('retry mole.md')
    await ada.sees(/I am trying it again\. Its receipt/)
    await ada.sees(/mole\.md.*ready/)

    await ada.drops({ name: 'setup.exe', bytes: 'MZ', mimeType: 'application/octet-stream' })
    const receipt = await ada.sees(/setup\.exe.*failed\. I can’t read this kind of file/)
    expect(receipt.buttons).not.toContain('Retry')
    await ada.asks('retry setup.exe')
    await ada.sees(/setup\.exe.* would fail again|No file here has failed/)

    await ada.asks('When is the mole of the harbour closed?')
    await ada.sees(/closed from November to March\. ?\[1\]/)
    expect(await ada.count(/(?:ferry|mole)\.md.*ready/)).toBe(2)
  },
)

hostedScenario(
  'what a hosted platform refused or lost is uploaded again',
  { on: ['slack', 'discord'], profile: 'saia' },
  async ({ ada, footbridge, platform, expect }) => {
    platform.script('upload', refused)
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*failed\. Not this one\./, ({ buttons }) => buttons.includes('Retry'))
    await footbridge.restart()
    await ada.presses('Retry')
    await ada.sees(/ferry\.md.*ready/, ({ buttons }) => !buttons.includes('Retry'))
    expect(await ada.count(/ferry/)).toBe(1)

    await footbridge.restart()
    const { baseUrl, key: apiKey } = platform
    const client = createPlatformClient({ baseUrl, apiKey, profile: 'saia' })
    await client.collections.delete([...platform.collections.keys()][0] ?? '')
    await client.close()
    await ada.asks('When does the ferry leave?')
    await ada.sees(/removed the collection of this channel on the platform/, ({ buttons }) =>
      buttons.includes('Rebuild'),
    )
    await ada.presses('Rebuild')
    await ada.sees(/is built again: 1 file ready/)
    await ada.asks('When does the ferry leave?')
    expect((await ada.sees(/leaves at/)).text).toContain('leaves at 9:40')
  },
)
