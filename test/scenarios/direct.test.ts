import { readFileSync } from 'node:fs'
import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

const QUESTION = 'From which pier does the ferry leave?'

scenario(
  'a direct conversation has files of its own, and they are there again after somebody made the collection anew',
  { killedOn: 'web' },
  async ({ workspace, footbridge, ada, adaDirect, errors, expect }) => {
    // Discord lists no direct conversation: one that was never heard of is not read up to now after a crash.
    await workspace.say('Ada', adaDirect.channel, { text: 'help' })
    await adaDirect.sees(/Drop a file/)
    await adaDirect.drops(ferry)
    await adaDirect.sees(/ferry\.md.*ready/)
    await adaDirect.asks(QUESTION)
    const first = await adaDirect.seesAnswer(/from pier seven\. ?\[1\]/)
    await adaDirect.asks('download ferry')
    await adaDirect.sees(/Here is .*ferry\.md/, ({ files }) => files.includes('ferry.md'))
    await ada.asks(QUESTION)
    await ada.sees(/Not from files: there are none here/)

    const authorization = readFileSync(`${footbridge.dataDir}/platform-key`, 'utf8').trim()
    const collections = new URL('/v1/collections/api/v1/collection/', footbridge.url)
    const headers = { authorization, 'content-type': 'application/json' }
    for (const { name } of (await (await fetch(collections, { headers })).json()) as { name: string }[]) {
      await fetch(new URL(encodeURIComponent(name), collections), { method: 'DELETE', headers })
      await fetch(collections, { method: 'POST', headers, body: JSON.stringify({ name }) })
    }
    await adaDirect.asks(`${QUESTION} Tell me again.`)
    await adaDirect.sees(/collection of this channel on the platform and created it anew/, ({ buttons }) =>
      buttons.includes('Rebuild'),
    )
    await adaDirect.presses('Rebuild')
    await adaDirect.sees(/built again: 1 file ready/)
    await adaDirect.asks(`${QUESTION} I forgot.`)
    await adaDirect.seesAnswer(/from pier seven\. ?\[1\]/, ({ id }) => id !== first.id)
    expect(errors()).toEqual([])
  },
)
