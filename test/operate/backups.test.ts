/** Copies of single databases: each is whole after a stop, and an older one that is restored is noticed. */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { closeAtEnd } from '../support/close-at-end.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { createPerson } from '../support/people/person.ts'
import { openSlack } from '../support/people/slack.ts'

const UNKNOWN = /The platform holds files that the database does not know/

async function setUp() {
  const workspace = closeAtEnd(await openSlack())
  // Without a model answers quote the files.
  const footbridge = closeAtEnd(await startFootbridge(workspace.env))
  const channel = await workspace.addChannel('ferries')
  const ada = createPerson(workspace, 'Ada', channel)
  const drops = async (name: string, words: string) => {
    await ada.drops({ name, bytes: `# ${name}\n\n${words}`, mimeType: 'text/markdown' })
    await ada.sees(new RegExp(`${name}.*ready`))
  }
  const told = () => footbridge.output.log.filter(({ msg }) => UNKNOWN.test(msg))
  return { footbridge, ada, drops, told, workspace }
}

it('are whole in one file after a stop, also beside somebody who reads', async () => {
  const { footbridge, drops } = await setUp()
  await drops('one.md', 'The pier is blue.')
  const copies = join(footbridge.dataDir, 'copies')
  mkdirSync(copies)
  const tables = {
    'bridge.sqlite': "SELECT count(*) AS count FROM file_record WHERE state = 'ready'",
    'web.sqlite': "SELECT count(*) AS count FROM channels WHERE id = 'general'",
    'platform/platform.sqlite': "SELECT count(*) AS count FROM fb_file WHERE index_status = 'INDEXED'",
  }
  const readers = Object.entries(tables).map(([name, query]) => {
    const reader = new DatabaseSync(join(footbridge.dataDir, name), { readOnly: true })
    reader.prepare(query).get()
    return reader
  })
  expect(await footbridge.stop()).toBe(0)
  for (const [name, query] of Object.entries(tables)) {
    const copy = join(copies, basename(name))
    copyFileSync(join(footbridge.dataDir, name), copy)
    const database = new DatabaseSync(copy)
    expect([name, database.prepare(query).get()]).toEqual([name, { count: 1 }])
    database.close()
  }
  for (const reader of readers) reader.close()
})

it('that are older than the platform are told at the start; nothing is lost, and nothing is there twice', async () => {
  const { footbridge, ada, drops, told, workspace } = await setUp()
  await drops('one.md', 'The pier is blue.')
  await footbridge.stop()
  const [database, backup] = ['bridge.sqlite', 'backup'].map((name) => join(footbridge.dataDir, name))
  if (database === undefined || backup === undefined) throw new Error('There are no paths.')
  copyFileSync(database, backup)
  await footbridge.restart()
  await workspace.attach(footbridge)
  await drops('two.md', 'The lighthouse is green.')
  await footbridge.stop()
  expect(told()).toEqual([])
  for (const ending of ['', '-wal', '-shm']) rmSync(`${database}${ending}`, { force: true })
  copyFileSync(backup, database)
  await footbridge.restart()
  await workspace.attach(footbridge)
  await expect.poll(told).toMatchObject([{ level: 40, files: 1, collections: 0 }])
  // Messages after the backup are read back from Slack, and the file is taken in once more.
  await ada.sees(/two\.md.*replaces the earlier file/)
  await ada.asks('Is the lighthouse green?')
  await ada.sees(/The lighthouse is green/)
  await ada.drops({ name: 'two.md', bytes: '# two\n\nThe lighthouse is red now.', mimeType: 'text/markdown' })
  await ada.sees(/two\.md.*replaces version 1/)
  await footbridge.stop()
  const platform = new DatabaseSync(join(footbridge.dataDir, 'platform', 'platform.sqlite'), { readOnly: true })
  const names = platform.prepare('SELECT name FROM fb_file ORDER BY name').all()
  platform.close()
  expect(names.map(({ name }) => name)).toEqual(['one.md', 'two.md'])
  await footbridge.restart()
  await workspace.attach(footbridge)
  await ada.asks('Is the lighthouse red now?')
  await ada.sees(/The lighthouse is red now/)
  expect(told()).toHaveLength(1)
})
