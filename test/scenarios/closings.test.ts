import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PATIENCE_MS } from '../support/patience.ts'
import type { SlackWorkspace } from '../support/people/slack.ts'
import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

const QUESTION = 'From which pier does the ferry leave?'

/** Rows of a channel in the store: its record, files, sends, answers, and jobs. */
function rowsOf(dataDir: string, channel: string): number {
  const database = new DatabaseSync(join(dataDir, 'bridge.sqlite'), { readOnly: true })
  const columns = [
    'channel.key',
    'file_record.channel',
    'outbox.channel',
    'answer.channel',
    'history.channel',
    'job.queue',
  ]
  const counts = columns.map((column) => {
    const [table, name] = column.split('.')
    const count = database.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${name} LIKE ?`)
    return Number(count.get(`slack:%:${channel}%`)?.['count'])
  })
  database.close()
  return counts.reduce((sum, count) => sum + count, 0)
}

scenario(
  'Slack: a file taken out of a channel is not known there any more; an archived channel keeps its files, a deleted one nothing',
  { on: ['slack'], killedOn: 'slack' },
  async ({ workspace, footbridge, ada, adaInHarbour, adaDirect, act, errors, expect }) => {
    const onSlack = workspace as SlackWorkspace
    const { slack } = onSlack
    const user = onSlack.userId('Ada')
    const [here, harbour] = [ada.channel, adaInHarbour.channel]
    const dropped = await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)
    const id = String(slack.workspace.message(here.id, dropped)?.files[0]?.['id'])

    await act(async () => slack.unshareFile(here.id, id, user, false))
    await ada.asks(QUESTION)
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)
    await act(async () => slack.unshareFile(here.id, id, user))
    await ada.sees(/ferry\.md.*removed: the file was taken out of this channel/)

    await adaInHarbour.drops(ferry)
    await adaInHarbour.sees(/ferry\.md.*ready/)
    await act(async () => slack.archiveChannel(harbour.id, user))
    await adaDirect.asks(`ask in ${workspace.linkTo(harbour)} ${QUESTION}`)
    await adaDirect.seesAnswer(/from pier seven\. ?\[1\]/)

    slack.workspace.channel(harbour.id).archived = false
    await act(async () => slack.deleteChannel(harbour.id))
    await expect.poll(() => rowsOf(footbridge.dataDir, harbour.id), { timeout: PATIENCE_MS }).toBe(0)
    await adaDirect.asks(`ask in ${workspace.linkTo(harbour)} ${QUESTION} Tell me again.`)
    await adaDirect.sees(/you are not in that channel, or I am not/)
    expect(errors()).toEqual([])
  },
)
