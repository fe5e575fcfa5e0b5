import { describe, expect, it } from 'vitest'
import { createBrowser, setMany } from './many.ts'

const place = (workspace: string, channel: string, thread?: string) => ({
  adapter: 'slack',
  workspace,
  channel,
  thread,
  direct: false,
})

describe('a workspace that installs Footbridge', () => {
  it('is answered with its own token, and only it', async () => {
    const { cloud, adapter, install, receive, inbounds } = await setMany()
    await adapter.start(receive)
    const done = await install('T1')
    expect(done.status).toBe(200)
    expect(await done.text()).toContain('Footbridge is in Team T1')
    await install('T2')
    for (const id of ['T1', 'T2']) {
      const team = cloud.teams.get(id)
      const channel = team?.workspace.addChannel({ name: 'ferry' }).id ?? ''
      const user = team?.workspace.addUser({ name: `Ada of ${id}` }).id ?? ''
      await team?.say({ channel, user, text: `how long, ${id}?`, mention: true, order: 'message-only' }).acked
      const inbound = inbounds.at(-1)
      if (inbound?.kind !== 'message') throw new Error('no message')
      const { conversation, author, text } = inbound.message
      expect({ conversation, author: author.name, text }).toEqual({
        conversation: place(id, channel, inbound.message.id),
        author: `Ada of ${id}`,
        text: `how long, ${id}?`,
      })
      await adapter.post(conversation, { sendId: `s-${id}`, kind: 'answer', text: `For ${id}.` })
      expect(team?.transcript(channel).map(({ text: shown }) => shown)).toEqual([
        `<@U0BOT> how long, ${id}?`,
        `For ${id}.`,
      ])
    }
    expect(inbounds).toHaveLength(2)
    expect([cloud.crossings, cloud.refused]).toEqual([[], []])
  })

  it('downloads a file with its own token, also after a restart', async () => {
    const { cloud, adapter, make, install, receive, inbounds } = await setMany()
    await adapter.start(receive)
    for (const id of ['T1', 'T2']) {
      await install(id)
      const team = cloud.teams.get(id)
      const channel = team?.workspace.addChannel({ name: 'ferry' }).id ?? ''
      const user = team?.workspace.addUser().id ?? ''
      const file = team?.hostFile(`of ${id}`, 'a.md', 'text/markdown')
      await team?.say({ channel, user, files: file === undefined ? [] : [file] }).acked
    }
    const again = make()
    await again.start(receive)
    const read: string[] = []
    for (const inbound of inbounds) {
      const attachment = inbound.kind === 'message' ? inbound.message.attachments[0] : undefined
      if (attachment === undefined) continue
      read.push(await new Response(await again.open(attachment, AbortSignal.timeout(5_000))).text())
    }
    expect(read).toEqual(['of T1', 'of T2'])
    expect(cloud.crossings).toEqual([])
  })

  it('and was served by its bot token before is read from where that ended', async () => {
    const { cloud, store, adapter, install, receive, inbounds } = await setMany()
    const team = cloud.addTeam('T1')
    const channel = team.workspace.addChannel({ name: 'ferry' }).id
    const user = team.workspace.addUser().id
    const known = team.say({ channel, user, text: 'answered long ago' })
    // As an adapter with the bot token leaves it.
    await store.cursors('slack:T1').set(channel, known.ts)
    await adapter.start(receive)
    await team.say({ channel, user, text: 'asked in between', mention: true }).acked
    expect(inbounds).toEqual([])
    await install('T1')
    await expect
      .poll(() => inbounds.map((inbound) => 'message' in inbound && inbound.message.text))
      .toEqual(['asked in between'])
  })

  it('that never installed it, or does not any more, gets no answer and nothing is asked again', async () => {
    const { cloud, adapter, install, receive, inbounds } = await setMany()
    await adapter.start(receive)
    await install('T1')
    const stranger = cloud.addTeam('T9')
    const channel = stranger.workspace.addChannel().id
    await stranger.say({ channel, user: stranger.workspace.addUser().id, text: 'hello', mention: true }).acked
    expect([inbounds, cloud.refused]).toEqual([[], []])
    await expect(adapter.post(place('T9', channel), { sendId: 'x', kind: 'answer', text: 'no' })).rejects.toThrow(
      /not installed in the Slack workspace T9/,
    )
  })
})

describe('the state of an installation', () => {
  it('is good once, for ten minutes, in the browser that began', async () => {
    const { cloud, adapter, advance } = await setMany()
    cloud.addTeam('T1')
    const [mine, other] = [createBrowser(adapter), createBrowser(adapter)]
    const back = cloud.oauth.allow(await mine.begin(), 'T1')
    await other.begin()
    expect((await other.visit(back)).status).toBe(400)
    expect((await adapter.fetch(new Request(back))).status).toBe(400)
    expect((await mine.visit(back)).status).toBe(200)
    expect((await mine.visit(back)).status).toBe(400)
    const late = cloud.oauth.allow(await mine.begin(), 'T1')
    const forged = new URL(late)
    forged.searchParams.set('state', 'A'.repeat(43))
    expect((await mine.visit(forged.href)).status).toBe(400)
    expect((await mine.visit(late)).status).toBe(200)
    const asked = await mine.begin()
    advance(600_001)
    // A fresh code, so that only the state is old.
    expect((await mine.visit(cloud.oauth.allow(asked, 'T1'))).status).toBe(400)
    expect(cloud.oauth.exchanges).toHaveLength(2)
  })

  it('is good once also with another code of Slack, and for every process', async () => {
    const { cloud, adapter, make } = await setMany()
    cloud.addTeam('T1')
    const browser = createBrowser(adapter)
    const asked = await browser.begin()
    expect((await browser.visit(cloud.oauth.allow(asked, 'T1'))).status).toBe(200)
    const again = cloud.oauth.allow(asked, 'T1')
    expect((await browser.visit(again)).status).toBe(400)
    expect((await browser.visit(again, make())).status).toBe(400)
    expect(cloud.oauth.exchanges).toHaveLength(1)
  })

  it('is nothing that is kept: whoever begins 2,000 times keeps nobody out', async () => {
    const { cloud, adapter, store, install } = await setMany()
    const begun = () => adapter.fetch(new Request('https://footbridge.example.org/slack/install/start'))
    for (let turn = 0; turn < 2000; turn += 1) expect((await begun()).status).toBe(302)
    expect(await store.state('slack-oauth-state').keys()).toEqual([])
    expect((await install('T1')).status).toBe(200)
    expect(cloud.refused).toEqual([])
  })

  it('lets an address bring ten codes a minute that Slack does not know, and keeps no other one out', async () => {
    const { cloud, adapter, install } = await setMany()
    const from = (address: string, proxied?: string) => ({
      fetch: (request: Request) => {
        if (proxied !== undefined) request.headers.set('x-forwarded-for', `1.1.1.1, ${proxied}`)
        return adapter.fetch(request, address)
      },
    })
    for (const door of [from('192.0.2.1'), from('10.0.0.1', '192.0.2.2')]) {
      const browser = createBrowser(door)
      const back = new URL(cloud.oauth.allow(await browser.begin(), 'T1'))
      const statuses: number[] = []
      for (let turn = 0; turn < 12; turn += 1) {
        back.searchParams.set('code', `guess-${turn}`)
        statuses.push((await browser.visit(back.href)).status)
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429])
    }
    expect(cloud.oauth.exchanges).toHaveLength(20)
    expect((await install('T1', from('192.0.2.3'))).status).toBe(200)
    expect((await install('T2', from('10.0.0.1', '192.0.2.4'))).status).toBe(200)
  })

  it('is used up when two requests bring it at once', async () => {
    const { cloud, adapter } = await setMany()
    cloud.addTeam('T1')
    const browser = createBrowser(adapter)
    const back = cloud.oauth.allow(await browser.begin(), 'T1')
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await browser.visit(back)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('stays unused, and nothing is stored, when somebody says no or Slack refuses the code', async () => {
    const { cloud, adapter, store, lines } = await setMany()
    cloud.addTeam('T1')
    const browser = createBrowser(adapter)
    const denied = await browser.visit(cloud.oauth.allow(await browser.begin(), 'T1', { denied: true }))
    expect([denied.status, await denied.text()]).toEqual([200, expect.stringContaining('was not installed') as string])
    cloud.oauth.faults.push({ ok: false, error: 'invalid_code' })
    expect((await browser.visit(cloud.oauth.allow(await browser.begin(), 'T1'))).status).toBe(400)
    cloud.oauth.faults.push({ ok: false, error: 'bad_client_secret' })
    expect((await browser.visit(cloud.oauth.allow(await browser.begin(), 'T1'))).status).toBe(502)
    expect(await store.state('slack-installation', ['x'.repeat(32)]).keys()).toEqual([])
    expect(JSON.stringify(lines)).not.toContain('xoxb')
  })
})

describe('the page', () => {
  it('has a button, no script, speaks German, and shows a name as text', async () => {
    const { adapter } = await setMany()
    const english = await adapter.fetch(new Request('https://footbridge.example.org/slack/install'))
    expect(english.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(await english.text()).toMatch(/Add to Slack<\/a>/)
    const headers = { 'accept-language': 'de-DE,de;q=0.9' }
    const german = await adapter.fetch(new Request('https://footbridge.example.org/slack/install', { headers }))
    expect(await german.text()).toMatch(/<html lang="de">[^]*Zu Slack hinzufügen/)
  })
})
