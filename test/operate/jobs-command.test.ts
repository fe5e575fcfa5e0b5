import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runJobs } from '#operate/jobs-command.ts'
import { openStore } from '#store/store.ts'
import { closeAtEnd } from '../support/close-at-end.ts'
import { eventually } from '../support/eventually.ts'
import { inLong } from '../support/forms.ts'
import { startFootbridge } from '../support/footbridge.ts'
import { openSlack } from '../support/people/slack.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const SECRET = 'The canary sings at noon.'

/** As `npm run jobs` starts it. */
const command = (dataDir: string, ...words: readonly string[]) =>
  new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
    const child = execFile(process.execPath, [CLI, 'jobs', ...words], { env: { DATA_DIR: dataDir } }, (_, out, err) =>
      resolve({ code: child.exitCode, out: out.trimEnd(), err: err.trimEnd() }),
    )
  })

it('a job that Slack refused is listed beside the running process, run again, and answered', inLong, async () => {
  const workspace = closeAtEnd(await openSlack())
  const footbridge = closeAtEnd(await startFootbridge(workspace.env))
  const channel = await workspace.addChannel('ferry')
  const refused = Array.from({ length: 4 }, () => ({ error: 'restricted_action' }))
  for (const method of ['chat.startStream', 'chat.postMessage']) workspace.slack.script(method, ...refused)
  await workspace.say('Ada', channel, { text: SECRET, mention: true })
  await eventually(() =>
    footbridge.alarms().some(({ msg }) => msg === 'Job failed for good: npm run jobs shows it, and runs it again'),
  )
  for (const method of ['chat.startStream', 'chat.postMessage']) workspace.slack.unscript(method)

  const { out } = await command(footbridge.dataDir, 'list', '--json')
  expect(out).not.toContain('canary')
  const { dead, jobs } = JSON.parse(out) as { dead: number; jobs: { id: string; reason: string }[] }
  expect([dead, jobs]).toEqual([
    1,
    [expect.objectContaining({ service: 'slack', channel: channel.id, kind: 'message', state: 'dead', attempts: 1 })],
  ])
  const id = jobs[0]?.id ?? ''
  expect((await command(footbridge.dataDir, 'show', id, '--text')).out).toContain(SECRET)
  expect(await command(footbridge.dataDir, 'retry', id)).toEqual({ code: 0, out: `${id} is due now.`, err: '' })
  await eventually(async () => (await workspace.messages(channel)).some(({ ours }) => ours))
  await eventually(async () => (await runJobs(footbridge, ['list'])).text === '0 dead, 0 waiting, 0 running.')
  expect(await command(footbridge.dataDir, 'retry', id, 'slack:none')).toEqual({
    code: 1,
    out: `${id} is over: nothing was changed.\nslack:none is not known: nothing was changed.`,
    err: '',
  })
})

describe('beside an open store', () => {
  const place = { adapter: 'slack', workspace: 'T1', channel: 'C1', direct: false }
  const author = { id: 'U1', name: 'Ada Lovelace' }

  async function setUp() {
    const dataDir = mkdtempSync(join(tmpdir(), 'footbridge-jobs-'))
    const store = openStore(dataDir)
    onTestFinished(() => {
      store.close()
      rmSync(dataDir, { recursive: true })
    })
    const now = 10_000_000
    const add = async (id: string, reason?: string) => {
      const details = { id, conversation: place, author, text: SECRET, addressed: true, mentionsOthers: false }
      const message = { ...details, attachments: [], sentAt: '2026-11-21T08:00:00Z' }
      const { stored } = await store.inbox.accept(
        { kind: 'message', key: id, message },
        { queue: id, now: 0, dueAt: 0 },
      )
      await stored
      if (reason === undefined) return
      await store.inbox.claim(0, 1, true)
      await store.inbox.bury(id, reason, 0)
    }
    const jobs = async (...words: readonly string[]) => (await runJobs({ dataDir }, words, () => now)).text
    return { dataDir, store, add, jobs, now }
  }

  it('shows no text, no name, no credential and no escape sequence of a terminal', async () => {
    const { add, jobs } = await setUp()
    await add('dead', 'The file \u001B[31mred\u001B[0m.pdf\u0007\nwas refused (xoxb-1-secret).')
    await add('waiting')
    const [list, show, json] = [await jobs('list'), await jobs('show', 'dead'), await jobs('show', 'dead', '--json')]
    expect(list.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'state', 'service', 'channel', 'kind', 'age', 'attempts', 'reason'],
      ['dead', 'dead', 'slack', 'C1', 'message', '2 h', '1', 'The file red.pdf was refused ([redacted]).'],
      ['waiting', 'waiting', 'slack', 'C1', 'message', '2 h', '0', '–'],
      [''],
      ['1 dead, 1 waiting, 0 running.'],
    ])
    for (const text of [list, show, json]) expect(text.replaceAll('\n', '')).not.toMatch(/canary|Lovelace|xoxb|\p{Cc}/u)
    expect(await jobs('show', 'dead', '--text')).toContain(SECRET)
    expect(await jobs('list', '--dead', '--limit', '1')).not.toContain('waiting  ')
  })

  it('runs again what is dead or waits, and nothing that runs or is over', async () => {
    const { add, jobs, store, now } = await setUp()
    await add('a', 'broken')
    await add('b')
    expect(await jobs('retry', '--dead')).toBe('a is due now.')
    expect(await jobs('retry', '--dead')).toBe('No job is dead: nothing to do.')
    expect(await store.inbox.claim(now, 9, true)).toMatchObject([
      { id: 'a', attempt: 1, reason: 'broken' },
      { id: 'b' },
    ])
    expect(await jobs('drop', 'a')).toBe('a is running: nothing was changed. Stop it where it was asked, or wait.')
    await store.inbox.retry('a', now + 60_000, 'later', now)
    expect(await jobs('drop', 'a')).toBe('a is dropped: it will not be run.')
    expect(await jobs('list')).toBe('0 dead, 0 waiting, 1 running.')
    await add('a')
    expect(await store.inbox.job('a')).toMatchObject({ state: 'done' })
  })

  it('says what is missing', async () => {
    const { jobs } = await setUp()
    expect(await jobs()).toMatch(/^Usage: footbridge jobs <command>/)
    for (const [words, why] of [
      [['steal'], /^There is no command steal\.\nUsage/],
      [['constructor'], /^There is no command constructor/],
      [['retry'], /^Name a job, or say --dead for all of them\./],
      [['show', 'x'], /^There is no job x: list shows the ids\./],
      [['list', '--limit', '0'], /^--limit 0: write a number from 1/],
      [['list', '--all'], /^Unknown option '--all'/],
    ] as const)
      await expect(jobs(...words)).rejects.toThrow(why)
    await expect(runJobs({ dataDir: '/nowhere' }, ['list'])).rejects.toThrow(
      /^There is no .*bridge.sqlite: Footbridge has not run/,
    )
  })
})
