/** The disk fills and is freed again and again, while people ask and drop files: nothing is lost, and nobody restarts anything. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startFootbridge, type Footbridge } from '../support/footbridge.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { createPerson } from '../support/people/person.ts'
import { openDiscord } from '../support/people/discord.ts'
import { openSlack } from '../support/people/slack.ts'
import { openWeb } from '../support/people/web.ts'
import type { Workspace } from '../support/people/workspace.ts'
import { withUpstream } from '../support/platforms.ts'

/** A disk that can be filled. */
interface SmallDisk {
  readonly folder: string
  readonly before?: string
  fill(footbridge: Footbridge): void
  free(footbridge: Footbridge): void
}

const canDo = (program: string, ...words: readonly string[]) => {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A file system of its own, filled to the last byte. */
function mountSmallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-small-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true })
  })
  const filler = join(folder, 'filler')
  return {
    folder: join(folder, 'data'),
    fill() {
      for (const bytes of [1_000_000, 4096, 1]) {
        try {
          for (;;) appendFileSync(filler, new Uint8Array(bytes))
        } catch {
          // The next smaller pieces fill what is left.
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
  }
}

const limit =
  (bytes: string) =>
  ({ pid }: Footbridge): void =>
    void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

/** A limit of the process for its files, which any user can set. */
function limitFiles(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-limit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, before: `trap '' XFSZ`, fill: limit('1'), free: limit('unlimited') }
}

function canMount(): boolean {
  const folder = join(tmpdir(), `footbridge-try-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const can = canDo('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder) && canDo('umount', folder)
  rmSync(folder, { recursive: true, force: true })
  return can
}

const DISKS = [
  ['a file system without space', canMount, mountSmallDisk],
  ['a limit for the files of the process', () => canDo('prlimit', '--version'), limitFiles],
] as const

/** Those of this machine. */
const DISKS_HERE = DISKS.filter(([, isHere]) => isHere())

async function start(workspace: Workspace, disk: SmallDisk) {
  mkdirSync(disk.folder, { recursive: true })
  const model = await withUpstream()
  const env = { ...workspace.env, ...model.env, SECOND_LOOK: 'off', DATA_DIR: disk.folder }
  const footbridge = await startFootbridge(env, disk.before === undefined ? {} : { before: disk.before })
  onTestFinished(async () => {
    disk.free(footbridge)
    await footbridge.close()
    await model.close()
    await workspace.close()
  })
  await workspace.attach(footbridge)
  const ready = async () => {
    const response = await fetch(new URL('/readyz', footbridge.url))
    return { status: response.status, reason: ((await response.json()) as { reason?: string }).reason ?? '' }
  }
  return { footbridge, ready }
}

const OPEN = { Slack: openSlack, 'Slack over HTTP': () => openSlack({ overHttp: true }), Discord: openDiscord } as const

describe.each(DISKS_HERE)('%s', (_, _isHere, make) => {
  it.each([
    ['Slack', 10],
    ['Slack over HTTP', 3],
    ['Discord', 3],
  ] as const)(
    'on %s loses nothing and needs no restart, %i times',
    async (service, times) => {
      const workspace = await OPEN[service]()
      const disk = make()
      const { footbridge, ready } = await start(workspace, disk)
      const pid = footbridge.pid
      for (let round = 0; round < times; round += 1) {
        const people = await Promise.all(
          ['asks', 'drops', 'waits'].map(async (what) =>
            createPerson(workspace, 'Ada', await workspace.addChannel(`${what}-${round}`)),
          ),
        )
        const [asks, drops, waits] = people
        if (asks === undefined || drops === undefined || waits === undefined) throw new Error('Nobody is there.')
        // One of them was heard before the disk is full.
        await waits.asks(`Early question ${round}`)
        disk.fill(footbridge)
        await eventually(async () => (await ready()).status === 503)
        expect((await ready()).reason).toMatch(/The disk is full .*free some space/)
        await asks.asks(`Late question ${round}`)
        await drops.drops({
          name: `note-${round}.md`,
          bytes: `# Note ${round}\n\nPier ${round}.`,
          mimeType: 'text/markdown',
        })
        await asks.sees(/the disk is full/i)
        disk.free(footbridge)
        await eventually(async () => (await ready()).status === 200)
        await asks.sees(new RegExp(`Late question ${round}`))
        await waits.sees(new RegExp(`Early question ${round}`))
        await drops.sees(new RegExp(`note-${round}\\.md.*ready`))
        await eventually(async () => (await asks.count(/disk is full/i)) === 0)
        for (const person of people) expect(await person.count(/./)).toBe(1)
      }
      expect(footbridge.pid).toBe(pid)
      const lines = footbridge.output.log.filter(({ level }) => level >= 50).map(({ reason, msg }) => reason ?? msg)
      // Once each time, and never out of date.
      expect(lines).toEqual(Array.from({ length: times }, () => expect.stringContaining('The disk is full')))
    },
    20 * PATIENCE_MS,
  )

  it(
    'on the page refuses with the sentence what it could not store, takes it when there is room, and answers',
    async () => {
      const web = await openWeb()
      const disk = make()
      const { footbridge, ready } = await start(web, disk)
      const { id } = await web.addChannel('ferries')
      for (let round = 0; round < 3; round += 1) {
        disk.fill(footbridge)
        await eventually(async () => (await ready()).status === 503)
        const post = { id: `message-of-round-${round}`, text: `@footbridge Question ${round}` }
        const refused = await web.browser().post(id, post)
        expect(refused.status).toBe(503)
        expect(await refused.json()).toMatchObject({ error: { message: /disk.*full.*Nothing is lost.*try again/i } })
        const upload = await web
          .browser()
          .request(`/api/web/uploads/upload-of-round-${round}?name=a.md`, { method: 'PUT', body: '# A' })
        expect([upload.status, await upload.text()]).toEqual([503, expect.stringMatching(/disk.*full/i)])
        expect((await web.browser().send('POST', '/api/web/channels', { name: `late-${round}` })).status).toBe(503)
        disk.free(footbridge)
        await eventually(async () => (await ready()).status === 200)
        expect((await web.browser().post(id, post)).status).toBe(201)

        await eventually(async () => {
          const { messages } = await web.browser().history(id)
          return messages.filter(({ ours, streaming }) => ours && !streaming).length === round + 1
        })
      }
    },
    20 * PATIENCE_MS,
  )
})
