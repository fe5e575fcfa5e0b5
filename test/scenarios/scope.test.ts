import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mole } from './drops.ts'
import { scenario } from './scenario.ts'

const QUESTION = 'When is the mole of the harbour closed?'
const CLOSED = /closed from November to March\. ?\[1\]/
const NOTHING = /Not in (?:this channel’s|your) files|Not from files|none was dropped/

scenario(
  'channels are asked from a direct message, linked and unlinked, and a lost collection is built again',
  { killedOn: 'discord' },
  async ({ workspace, footbridge, ada, adaInHarbour, adaDirect, errors, expect }) => {
    const harbour = workspace.linkTo(adaInHarbour.channel)
    // Discord lists no direct conversations: only one that is known is read back after an absence.
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)
    await adaInHarbour.drops(mole)
    await adaInHarbour.sees(/mole\.md.*ready/)
    await ada.asks(QUESTION)
    await ada.sees(NOTHING)

    // The page takes whoever sits there into every channel.
    await adaDirect.says(`ask in ${harbour} ${QUESTION}`)
    await adaDirect.sees(/closed from November to March\. ?\[1\][^]*From the files of #harbour/)

    await ada.asks(`link ${harbour}`)
    await ada.sees(/Shall I link this channel/, ({ buttons }) => buttons.length > 0)
    await ada.presses('Link')
    await ada.sees(/uses the files of #harbour/)
    await ada.asks(`${QUESTION} Tell me again.`)
    await ada.seesAnswer(CLOSED)
    await ada.asks('unlink')
    await ada.sees(/uses its own files again/)

    // Somebody deletes the collection behind our back.
    const headers = { authorization: readFileSync(join(footbridge.dataDir, 'platform-key'), 'utf8').trim() }
    const collections = new URL('/v1/collections/api/v1/collection/', footbridge.url)
    const list = (await (await fetch(collections, { headers })).json()) as { name: string }[]
    for (const { name } of list)
      await fetch(new URL(encodeURIComponent(name), collections), { method: 'DELETE', headers })
    await adaInHarbour.asks(QUESTION)
    await adaInHarbour.sees(/removed the collection of this channel/, ({ buttons }) => buttons.includes('Rebuild'))
    await adaInHarbour.presses('Rebuild')
    await adaInHarbour.sees(/built again: 1 file ready/)
    await adaInHarbour.asks(`${QUESTION} I forgot.`)
    await adaInHarbour.sees(CLOSED)

    expect(errors()).toEqual([])
  },
)
