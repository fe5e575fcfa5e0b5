import { expect, test } from 'vitest'
import type { Desk } from '../support/whole/desk.ts'
import { openDiscordDesk } from '../support/whole/discord-desk.ts'
import { openSlackDesk } from '../support/whole/slack-desk.ts'
import { closeAtEnd, open } from '../support/whole/stage.ts'

const lamp = { name: 'lamp.md', bytes: 'The lighthouse lamp burns kerosene.', mimeType: 'text/markdown' }
const ferry = { name: 'ferry.md', bytes: 'The ferry leaves at 9:40.', mimeType: 'text/markdown' }

/** Two files in one message; one is deleted, the message stays. @returns what an operator has to look at. */
async function deletes(desk: Desk, drop: () => string, remove: (message: string) => void) {
  const footbridge = await open(desk.env)
  const shows = (pattern: RegExp) =>
    desk.until(() => desk.sees().find((line) => line.includes('Footbridge: ') && pattern.test(line)))
  const message = drop()
  await shows(/lamp\.md\*+ — ready[^]*ferry\.md\*+ — ready/)
  remove(message)
  await shows(/🗑️ \*+lamp\.md\*+ — removed: the file was deleted here[^]*ferry\.md\*+ — ready/)
  desk.does({ text: 'What does the lighthouse lamp burn?', mention: true })
  await shows(/Not in this channel’s files/)
  desk.does({ text: 'When does the ferry leave?', mention: true })
  await shows(/leaves at 9:40/)
  await footbridge.stop()
  return footbridge.alarms()
}

test('a file that is deleted on Slack while its message stays leaves the collection', async () => {
  const desk = closeAtEnd(await openSlackDesk())
  const { slack, channel, ada } = desk
  const files = [lamp, ferry].map(({ bytes, name, mimeType }) => slack.hostFile(bytes, name, mimeType))
  const alarms = await deletes(
    desk,
    () => slack.say({ channel, user: ada, files }).ts,
    (ts) => void slack.deleteFile(channel, ts, files[0]?.id ?? ''),
  )
  expect(alarms).toEqual([])
})

test('a file that is taken out of a message on Discord leaves the collection', async () => {
  const desk = closeAtEnd(await openDiscordDesk())
  const alarms = await deletes(
    desk,
    () => desk.does({ files: [lamp, ferry] }),
    (id) => desk.discord.detach(id, lamp.name),
  )
  expect(alarms).toEqual([])
})
