import { ALL_SCOPES } from '#adapters/slack/manifest.ts'
import { openWeb } from '../support/people/web.ts'
import { createPerson, type Person } from '../support/people/person.ts'
import type { SlackWorkspace } from '../support/people/slack.ts'
import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

const PUBLIC_URL = 'https://footbridge.example.org'

scenario(
  'a link to an answer on the page is a card in the channel of Slack that uses its files, and nowhere else',
  { on: ['slack'], killedOn: 'slack', settings: { PUBLIC_URL } },
  async ({ workspace, footbridge, ada, ben, adaInHarbour, act, errors, expect }) => {
    const slackWorkspace = workspace as SlackWorkspace
    const { slack } = slackWorkspace
    const userId = (name: string) => slackWorkspace.userId(name)
    // An app with an outside address asks for more.
    slack.workspace.scopes = ALL_SCOPES
    await footbridge.restart({ ADMINS: `slack:${userId('Ada')}` })
    const page = await openWeb()
    await page.attach(footbridge)
    const library = await page.addChannel('library')
    const reader = createPerson(page, 'Ada', library, { act })
    await reader.drops(ferry)
    await reader.sees(/ferry\.md.*ready/)
    await reader.asks('From which pier does the ferry leave?')
    const { id } = await reader.seesAnswer(/from pier seven\. ?\[1\]/)
    const url = `${PUBLIC_URL}/#${library.id}/${id}`

    /** Somebody writes the address, and Slack tells of it. Returns the cards under the message. */
    async function paste(person: Person, name: string) {
      const ts = await person.says(`It stands here: ${url}`)
      const { id: channel } = person.channel
      const event = { type: 'link_shared', channel, user: userId(name), message_ts: ts, is_bot_user_member: true }
      const links = [{ domain: 'footbridge.example.org', url }]
      await act(async () => void slack.sendEvent({ ...event, links, source: 'conversations_history', event_ts: ts }))
      return () => slack.workspace.message(channel, ts)?.unfurls
    }
    const before = [await paste(ben, 'Ben'), await paste(adaInHarbour, 'Ada')]

    await ben.calls('collection', { options: { address: url } })
    await ben.sees(/Only people who administer everything here/, ({ only }) => only === 'Ben')
    await ada.calls('collection', { options: { address: url } })
    await ada.sees(/from the files of \*{0,2}#library/, ({ buttons }) => buttons.includes('Link'))
    await ada.presses('Link')
    await ada.sees(/uses the files of \*{0,2}#library/)
    await ada.asks('From which pier does the ferry leave?')
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)

    const card = await paste(ben, 'Ben')
    await slack.until(() => card() !== undefined, 'a card')
    expect(JSON.stringify(card())).toMatch(/From which pier does the ferry leave\?.*from pier seven.*ferry\.md/)

    await ada.calls('collection', { options: { whose: 'own' } })
    await ada.sees(/uses its own files again/)
    const after = await paste(ben, 'Ben')
    await ada.asks('From which pier does the ferry leave now?')
    await ada.sees(/Not from files/)
    expect([...before, after].map((unfurls) => unfurls())).toEqual([undefined, undefined, undefined])
    expect(errors()).toEqual([])
  },
)
