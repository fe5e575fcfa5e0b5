import type { SlackWorkspace } from '#test/support/people/slack.ts'
import { ferry } from '../drops.ts'
import { scenario } from '../scenario.ts'

scenario(
  'Slack: the session of a question waits while people are asked, ends with the answer, and is closed once it is solved',
  { on: ['slack'], killedOn: 'slack' },
  async ({ workspace, ada, ben, adaDirect, errors, expect }) => {
    const { slack } = workspace as SlackWorkspace
    const { id: channel } = ada.channel
    const becomes = (thread: string, status: string, of = channel) =>
      expect.poll(() => slack.session(of, thread)?.status, { timeout: 60_000 }).toBe(status)

    const told = (thread: string) =>
      slack
        .callsOf('agents.sessions.setStatus')
        .filter(({ args }) => args['thread_ts'] === thread)
        .map(({ args }) => args['status'])

    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)
    const known = await ada.asks('From which pier does the ferry leave?')
    await ada.seesAnswer(/pier seven.*\[1\]/)
    await becomes(known, 'active')
    expect(told(known)).toContain('processing')
    await ada.presses('👍')
    await becomes(known, 'closed')
    // What is asked on in the thread opens it again.
    await ada.asks('And when does it leave?', { after: known })
    await ada.seesAnswer(/9:40.*\[1\]/)
    await becomes(known, 'active')

    const unknown = await ada.asks('Who paints the lighthouse?')
    await ada.sees(/./, ({ buttons }) => buttons.includes('Ask a person'))
    await becomes(unknown, 'active')
    await ada.presses('Ask a person')
    await becomes(unknown, 'suspended')
    await ben.says('The harbour office paints it every third summer.', { after: unknown })
    await becomes(unknown, 'active')

    const direct = await adaDirect.asks('What can you do?')
    await adaDirect.sees(/./)
    expect(slack.session(adaDirect.channel.id, direct)?.status).not.toBe('processing')
    // No session is left at work, and Slack refused none of the calls.
    const left = [...slack.workspace.sessions.values()].filter(({ status }) => status === 'processing')
    expect(left).toEqual([])
    const refused = slack.callsOf('agents.sessions.setStatus').filter(({ error }) => error !== undefined)
    expect(refused).toEqual([])
    expect(slack.callsOf('assistant.threads.setStatus')).toEqual([])
    expect(errors()).toEqual([])
  },
)

const UNKNOWN = Array.from({ length: 99 }, () => ({ error: 'unknown_method' }))

scenario(
  'Slack: where it knows no sessions, a question shows the older line, which goes with the answer',
  { on: ['slack'], killedOn: 'slack' },
  async ({ workspace, ada, alarms, errors, expect }) => {
    const { slack } = workspace as SlackWorkspace
    slack.script('agents.sessions.setStatus', ...UNKNOWN)
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)
    const asked = await ada.asks('From which pier does the ferry leave?')
    await ada.seesAnswer(/pier seven.*\[1\]/)
    await ada.presses('👍')
    await ada.asks('And when does it leave?', { after: asked })
    await ada.seesAnswer(/9:40.*\[1\]/)

    const lines = slack.callsOf('assistant.threads.setStatus').filter(({ args }) => args['thread_ts'] === asked)
    expect(lines.filter(({ args }) => args['status'] !== '').length).toBeGreaterThan(0)
    expect(lines.filter(({ error }) => error !== undefined)).toEqual([])
    await expect.poll(() => slack.status(ada.channel.id, asked), { timeout: 60_000 }).toBeUndefined()
    expect([...errors(), ...alarms().filter((line) => line.includes('tatus'))]).toEqual([])
  },
)
