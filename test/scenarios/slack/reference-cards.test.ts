import { median } from '#bench/statistics.ts'
import { ferryPages, makePdf } from '#test/fixtures/pdf.ts'
import type { SlackWorkspace } from '#test/support/people/slack.ts'
import { scenario } from '../scenario.ts'

const PUBLIC_URL = 'https://footbridge.example.org'

scenario(
  'Slack: a reference opens its passage beside the chat, with the page of a PDF as a picture, for whoever may ask',
  { on: ['slack'], killedOn: 'slack', settings: { PUBLIC_URL, SLACK_WORK_OBJECTS: 'on' } },
  async ({ workspace, footbridge, ada, act, rough, errors, expect }) => {
    const slackWorkspace = workspace as SlackWorkspace
    const { slack } = slackWorkspace
    const { id: channel } = ada.channel
    const cards = () =>
      slack.workspace.messages.filter((one) => one.channel === channel && one.entities !== undefined && !one.deleted)

    await ada.drops({ name: 'handbook.pdf', bytes: await makePdf(ferryPages), mimeType: 'application/pdf' })
    await ada.sees(/handbook\.pdf.*ready/)
    const asked = await ada.asks('How much does a return ticket of the ferry cost?')
    await ada.seesAnswer(/return ticket costs twelve euros.*\[1\]/)
    await slack.until(() => cards().length > 0, 'cards of the references')
    const [card] = cards()
    expect(card).toMatchObject({
      threadTs: asked,
      entities: [
        {
          entity_type: 'slack#/entities/file',
          entity_payload: { attributes: { title: { text: expect.stringMatching(/^\[1\] handbook\.pdf · p\.2/) } } },
        },
      ],
    })

    /** What somebody is shown, and after how long. A process that was away is asked again, as by a refresh. */
    async function open(name: string) {
      const user = slackWorkspace.userId(name)
      slack.workspace.flexpanes.delete(user)
      const shown = () => slack.workspace.flexpanes.get(user)
      for (;;) {
        const begin = performance.now()
        await act(async () => void slack.openCard({ channel, ts: card?.ts ?? '', user }))
        const isThere = await slack.until(() => shown() !== undefined, 'details', 3_500).catch(() => false)
        if (isThere) return { shown: JSON.stringify(shown()), tookMs: performance.now() - begin }
      }
    }
    const { shown, tookMs } = await open('Ben')
    // In a killed run a press waits for the next start.
    if (!rough) {
      const pressesMs = [tookMs]
      for (const name of ['Ada', 'Ben', 'Ada', 'Ben']) pressesMs.push((await open(name)).tookMs)
      expect(median(pressesMs)).toBeLessThan(1000)
    }
    expect(shown).toMatch(/"label":"Passage".*return ticket costs twelve euros.*"label":"Page 2"/)
    expect(shown).toMatch(/"label":"File","type":"string","value":"handbook\.pdf","link":"https?:/)

    // Slack's app asks for the picture by itself, without a sign-in; nobody else can make such an address.
    const [address = ''] = /https:\/\/footbridge\.example\.org\/slack\/pages\/[\w.-]+/.exec(shown) ?? []
    const fetchPage = (url: string) => fetch(url.replace(PUBLIC_URL, footbridge.url))
    const picture = await fetchPage(address)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(picture.headers.get('access-control-allow-origin')).toBe('https://app.slack.com')
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG')
    expect((await fetchPage(address.replace(/\.1\.(\d+)\./, '.2.$1.'))).status).toBe(404)

    // The right is that of the moment.
    const user = slackWorkspace.userId('Ben')
    const member = slack.workspace.users.get(user)
    if (member !== undefined) slack.workspace.users.set(user, { ...member, guest: 'single' })
    slack.sendEvent({ type: 'user_change', user: { id: user }, event_ts: asked })
    expect((await open('Ben')).shown).toMatch(/"status":"custom".*Guests may not use me here/)

    expect(cards()).toHaveLength(1)
    await ada.deletes(asked)
    await slack.until(() => cards().length === 0, 'no cards without their answer')
    await expect.poll(async () => (await fetchPage(address)).status).toBe(404)
    expect(errors()).toEqual([])
  },
)
