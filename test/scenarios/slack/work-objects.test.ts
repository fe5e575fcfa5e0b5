import { ALL_SCOPES } from '#adapters/slack/manifest.ts'
import { createPerson, type Person } from '#test/support/people/person.ts'
import type { SlackWorkspace } from '#test/support/people/slack.ts'
import { openWeb } from '#test/support/people/web.ts'
import { ferry } from '../drops.ts'
import { scenario } from '../scenario.ts'

const PUBLIC_URL = 'https://footbridge.example.org'

scenario(
  'Slack: a link to an answer or a file is a Work Object, and opens beside the chat for whoever may ask',
  { on: ['slack'], killedOn: 'slack', settings: { PUBLIC_URL, SLACK_WORK_OBJECTS: 'on' } },
  async ({ workspace, footbridge, ada, ben, act, rough, errors, expect }) => {
    const slackWorkspace = workspace as SlackWorkspace
    const { slack } = slackWorkspace
    slack.workspace.scopes = ALL_SCOPES
    await footbridge.restart({ ADMINS: `slack:${slackWorkspace.userId('Ada')}` })
    const page = await openWeb()
    await page.attach(footbridge)
    const library = await page.addChannel('library')
    const reader = createPerson(page, 'Ada', library, { act })
    await reader.drops(ferry)
    await reader.sees(/ferry\.md.*ready/)
    await reader.asks('From which pier does the ferry leave?')
    const { id } = await reader.seesAnswer(/from pier seven\. ?\[1\]/)
    const url = `${PUBLIC_URL}/#${library.id}/${id}`
    await ada.calls('collection', { options: { address: url } })
    await ada.sees(/from the files of \*{0,2}#library/, ({ buttons }) => buttons.includes('Link'))
    await ada.presses('Link')
    await ada.sees(/uses the files of \*{0,2}#library/)

    const { id: channel } = ben.channel
    const user = slackWorkspace.userId('Ben')
    /** Ben writes an address, which gets a Work Object. */
    async function paste(address: string) {
      const ts = await ben.says(`It stands here: ${address}`)
      const event = { type: 'link_shared', channel, user, message_ts: ts, is_bot_user_member: true, event_ts: ts }
      const links = [{ domain: 'footbridge.example.org', url: address }]
      await act(async () => void slack.sendEvent({ ...event, links, source: 'conversations_history' }))
      const entities = await slack.until(() => slack.workspace.message(channel, ts)?.entities, 'a Work Object')
      return { ts, type: entities[0]?.['entity_type'] }
    }
    const { ts } = await paste(url)

    /** Opens it and gives what is shown, and after how long. A process that was away is asked again, as by a refresh. */
    async function open(person: Person, name: string, card = ts) {
      const who = slackWorkspace.userId(name)
      slack.workspace.flexpanes.delete(who)
      const shown = () => slack.workspace.flexpanes.get(who)
      for (;;) {
        const begin = performance.now()
        await act(async () => void slack.openCard({ channel: person.channel.id, ts: card, user: who }))
        const isThere = await slack.until(() => shown() !== undefined, 'details', 3_500).catch(() => false)
        if (isThere) return { shown: JSON.stringify(shown()), tookMs: performance.now() - begin }
      }
    }
    const times: number[] = []
    for (let time = 0; time < 5; time += 1) {
      const { shown, tookMs } = await open(ben, 'Ben')
      expect(shown).toMatch(/from pier seven.*"\[1\] ferry\.md.*leaves at 9:40 from pier seven/)
      times.push(tookMs)
    }
    // As the list of the files on the page has it.
    const file = await paste(`${PUBLIC_URL}/api/web/channels/${library.id}/files/bytes?name=ferry.md`)
    expect(file.type).toBe('slack#/entities/file')
    const ofFile = await open(ben, 'Ben', file.ts)
    expect(ofFile.shown).toMatch(/"title":\{"text":"ferry\.md"\}.*"label":"Beginning".*leaves at 9:40 from pier seven/)
    if (!rough) expect(Math.max(...times, ofFile.tookMs)).toBeLessThan(1000)

    // The right is that of the moment.
    const guest = slack.workspace.users.get(user)
    if (guest !== undefined) slack.workspace.users.set(user, { ...guest, guest: 'single' })
    slack.sendEvent({ type: 'user_change', user: { id: user }, event_ts: ts })
    const refused = await open(ben, 'Ben')
    expect(refused.shown).toMatch(/"status":"custom".*Guests may not use me here/)
    expect(errors()).toEqual([])
  },
)
