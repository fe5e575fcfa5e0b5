import { expect, it, onTestFinished } from 'vitest'
import { startSlackCloud } from '#test/doubles/slack/cloud.ts'
import { type Environment, startFootbridge } from '#test/support/footbridge.ts'
import { eventually } from '#test/support/eventually.ts'
import { freePort } from '#test/support/free-port.ts'
import { withPlatform } from '#test/support/platforms.ts'
import { bytesOf, createBrowser, settingsFor } from './many.ts'

/** The whole program, installed in one workspace, with a channel and somebody in it. */
async function installed(more: Environment = {}) {
  const cloud = await startSlackCloud()
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const footbridge = await startFootbridge({ PORT: String(port), ...settingsFor(cloud, publicUrl), ...more })
  onTestFinished(async () => {
    await footbridge.close()
    await cloud.close()
  })
  cloud.deliverTo(`${publicUrl}/slack/events`)
  const team = cloud.addTeam('T1')
  const browser = createBrowser({ fetch: (request) => fetch(request, { redirect: 'manual' }) }, publicUrl)
  const done = await browser.visit(cloud.oauth.allow(await browser.begin(), 'T1'))
  expect(await done.text()).toContain('Footbridge is in Team T1')
  const channel = team.workspace.addChannel({ name: 'ferry' }).id
  const user = team.workspace.addUser({ name: 'Ada' }).id
  const sees = (pattern: RegExp) =>
    cloud.until(
      () => team.transcript(channel).findLast(({ own, text, streaming }) => own && !streaming && pattern.test(text)),
      String(pattern),
    )
  team.say({ channel, user, files: [team.hostFile('The mole is forty metres long.', 'mole.md', 'text/markdown')] })
  await sees(/mole\.md.*ready/)
  return { cloud, footbridge, team, channel, user, sees }
}

it('the whole program: a workspace installs it in a browser, drops a file and is answered, also after kill -9', async () => {
  const { footbridge, team, channel, user, sees } = await installed()
  await footbridge.restart()
  team.say({ channel, user, text: 'How long is the mole?', mention: true })
  await sees(/forty metres/)
  expect(JSON.stringify(footbridge.output)).not.toMatch(/xoxb-/)
})

it('a removal that was killed before it was stored, and again while it deleted, still leaves no byte', async () => {
  const hosted = await withPlatform('collection')
  onTestFinished(() => hosted.close())
  const { cloud, footbridge, team } = await installed(hosted.env)
  const { platform } = hosted
  cloud.oauth.revoke('T1')
  const removal = () => team.sendEvent({ type: 'app_uninstalled' }, { eventId: 'Ev-gone' })
  const left = () => bytesOf(footbridge.dataDir).match(/.{0,40}\b(?:T1|mole\.md)\b.{0,40}/g)
  expect(left()).not.toBeNull()

  const asked: string[] = []
  cloud.silence = asked
  removal()
  await cloud.until(() => asked.includes('/api/auth.test'), 'the look at the token')
  await footbridge.kill9()
  cloud.silence = undefined
  await footbridge.restart()
  expect(left()).not.toBeNull()

  platform.script('delete', { kind: 'hang' })
  const told = removal()
  // Before that Slack would tell of it again, which this one does not.
  await told.acked
  await platform.seen('delete', 1)
  await footbridge.kill9()
  platform.calm()
  await footbridge.restart()
  await eventually(() => platform.collections.size === 0 && left() === null, { instead: () => String(left()) })
})
