import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Catalog, CollectionRow, NewFile, UserRow } from '#platform/engine/storage/catalog.ts'

const anna = { name: 'anna', email: 'anna@example.org', firstName: 'Anna', surname: 'Lund' }
const all = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const there = <Value>(values: readonly (Value | undefined)[]) => values.filter((value) => value !== undefined)

const firstKey = (hash: string) => ({ hash, holder: 'here', machine: 'lighthouse' })

const windows = (startsAt: number, minute?: number) => [
  { span: 'minute', startsAt, most: minute },
  { span: 'month', startsAt: 0, most: 50 },
]

const ascending = (one: number, other: number) => one - other

let lastBlob = 0
const newFile = (name: string, more: Partial<NewFile> = {}): NewFile => ({
  name,
  format: 'markdown',
  blob: `blob-${(lastBlob += 1)}`,
  sizeBytes: 7,
  sha256: 'aa',
  sourceId: null,
  ...more,
})

/** Promises of every catalog, on any database. */
export function describeCatalog(name: string, open: () => Promise<Catalog>): void {
  describe.each([name])('%s', () => {
    let catalog: Catalog
    let local: UserRow
    beforeEach(async () => {
      catalog = await open()
      local = await catalog.users.first(1000)
    })
    afterEach(() => catalog.close())

    async function make(collection: string, owner = local): Promise<CollectionRow> {
      const row = await catalog.collections.create(owner.id, collection, `index of ${owner.name} ${collection}`, 2000)
      if (row === undefined) throw new Error(`no collection ${collection}`)
      return row
    }
    async function add(collection: CollectionRow, file: NewFile, now = 3000) {
      const row = await catalog.files.add(collection.id, file, now)
      if (row === undefined) throw new Error(`no file ${file.name}`)
      return row
    }
    async function user() {
      const row = await catalog.users.add(anna, 1500)
      if (row === undefined) throw new Error('no user')
      return row
    }

    const makeKey = async (hash: string) =>
      (
        await catalog.keys.add(
          local.id,
          { hash, hint: '', label: '', expiresAt: null, quota: undefined, scope: undefined },
          1,
        )
      ).id

    describe('users', () => {
      it('has one first user, also when several ask at once', async () => {
        const rows = await all(5, () => catalog.users.first(9000))
        expect(rows).toEqual(rows.map(() => local))
        expect(local).toMatchObject({ name: 'local', email: 'local@localhost', createdAt: 1000 })
      })

      it('adds a user of a name once', async () => {
        const made = there(await all(5, () => catalog.users.add(anna, 1500)))
        expect(made).toEqual([{ ...anna, id: expect.any(Number), createdAt: 1500 }])
        expect(await catalog.users.get('anna')).toEqual(made[0])
        expect(await catalog.users.get('Anna')).toBeUndefined()
        expect(await catalog.users.get('an\0na')).toBeUndefined()
      })

      it('counts what a user has', async () => {
        const notes = await make('notes')
        await add(notes, newFile('a.md'))
        await add(notes, newFile('b.md'))
        await make('theirs', await user())
        expect(await catalog.users.counts(local.id)).toEqual({ collections: 1, files: 2 })
      })
    })

    describe('keys', () => {
      const scope = { collections: ['local/plans'], tools: ['search'] }
      const order = { hash: 'h1', hint: 'fb-1', label: 'laptop', expiresAt: 5000, quota: { minute: 3 }, scope }

      it('puts a new first key in the place of the one before', async () => {
        await catalog.keys.setFirst(local.id, firstKey('one'), 1100)
        await catalog.keys.setFirst(local.id, firstKey('one'), 1200)
        expect(await catalog.keys.byHash('one')).toMatchObject({ isFirst: true, user: local, createdAt: 1100 })
        await catalog.keys.setFirst(local.id, firstKey('other'), 1300)
        expect(await catalog.keys.byHash('one')).toBeUndefined()
        expect(await catalog.keys.list()).toMatchObject([
          { isFirst: true, createdAt: 1300, quota: undefined, expiresAt: null, revokedAt: null },
        ])
      })

      it('keeps a key as it was ordered', async () => {
        const key = await catalog.keys.add(local.id, order, 1400)
        const { hash, ...known } = order
        expect(key).toEqual({
          ...known,
          id: expect.any(Number),
          user: local,
          isFirst: false,
          holder: null,
          createdAt: 1400,
          revokedAt: null,
        })
        expect(await catalog.keys.byHash(hash)).toEqual(key)
        expect(await catalog.keys.get(key.id)).toEqual(key)
        expect(await catalog.keys.get(key.id + 1)).toBeUndefined()
      })

      it('changes its end and its limits, and revokes it once', async () => {
        const { id } = await catalog.keys.add(local.id, order, 1400)
        await catalog.keys.setExpiry(id, null)
        await catalog.keys.setQuota(id, { day: 9, month: 10 })
        expect(await catalog.keys.get(id)).toMatchObject({ expiresAt: null, quota: { day: 9, month: 10 } })
        await catalog.keys.setQuota(id, undefined)
        await catalog.keys.revoke(id, 7000)
        await catalog.keys.revoke(id, 8000)
        expect(await catalog.keys.get(id)).toMatchObject({ quota: undefined, revokedAt: 7000 })
      })
    })

    describe('collections', () => {
      it('makes one of a name for each owner, also when several ask at once', async () => {
        const made = there(
          await all(8, (index) => catalog.collections.create(local.id, 'notes', `index ${index}`, 2000)),
        )
        expect(made).toHaveLength(1)
        expect(made[0]).toMatchObject({
          ownerName: 'local',
          visibility: 'private',
          createdAt: 2000,
          updatedAt: 2000,
          indexedAt: null,
          passStartedAt: null,
          fileCount: 0,
          sizeBytes: 0,
          chunks: 0,
          firstError: null,
        })
        await make('notes', await user())
        expect(await catalog.collections.get(local.id, 'notes')).toEqual(made[0])
      })

      it('lists by name, byte for byte', async () => {
        for (const one of ['ä', 'b', 'a', 'B', '中', 'a b']) await make(one)
        const names = (await catalog.collections.list(local.id)).map((row) => row.name)
        expect(names).toEqual(['B', 'a', 'a b', 'b', 'ä', '中'])
      })

      it('says how its files stand', async () => {
        const notes = await make('notes')
        const rows = [
          await add(notes, newFile('a.md', { sizeBytes: 3_000_000_000 })),
          await add(notes, newFile('b.md')),
          await add(notes, newFile('c.md')),
          await add(notes, newFile('d.md')),
        ]
        for (const [index, row] of rows.slice(0, 2).entries()) {
          await catalog.files.indexed(row, { chunks: index + 4 })
        }
        for (const row of rows.slice(2)) await catalog.files.indexed(row, { error: `broken \0 ${row.name}` })
        await catalog.collections.passStarted(notes.id, 4000)
        expect(await catalog.collections.get(local.id, 'notes')).toMatchObject({
          fileCount: 4,
          sizeBytes: 3_000_000_021,
          filesIndexed: 2,
          filesFailed: 2,
          chunks: 9,
          firstError: expect.stringMatching(/^c\.md: broken . c\.md$/),
          passStartedAt: 4000,
          updatedAt: 3000,
        })
        await catalog.collections.passEnded(notes.id, 5000)
        expect(await catalog.collections.get(local.id, 'notes')).toMatchObject({
          passStartedAt: null,
          indexedAt: 5000,
          updatedAt: 5000,
        })
      })

      it('is shared with whom it says, until it says otherwise', async () => {
        const notes = await make('notes')
        const reader = await user()
        const share = (users: readonly string[]) =>
          catalog.collections.setSharing(notes.id, { visibility: 'public', users }, 6000)
        await share([reader.name, local.name, 'later'])
        expect((await catalog.collections.get(local.id, 'notes'))?.readers).toEqual(['anna', 'later', 'local'])
        expect(await catalog.collections.sharedWith(reader)).toMatchObject([
          { name: 'notes', visibility: 'public', readers: ['anna', 'later', 'local'], updatedAt: 6000 },
        ])
        expect(await catalog.collections.sharedWith(local)).toEqual([])
        expect((await catalog.collections.all()).map(({ id }) => id)).toContain(notes.id)
        await share([])
        expect((await catalog.collections.get(local.id, 'notes'))?.readers).toEqual([])
        expect(await catalog.collections.sharedWith(reader)).toEqual([])
        await catalog.collections.setSharing(notes.id + 7, { visibility: 'public', users: [reader.name] }, 6000)
      })

      it('goes with its files, and says which bytes that were', async () => {
        const notes = await make('notes')
        const file = newFile('a.md')
        const row = await add(notes, file)
        const gone = (await all(3, () => catalog.collections.remove(notes.id))).flat()
        expect(gone).toEqual([{ id: row.id, blob: file.blob }])
        expect(await catalog.collections.get(local.id, 'notes')).toBeUndefined()
        expect(await catalog.files.byIds([row.id])).toEqual([])
        expect(await catalog.files.add(notes.id, newFile('b.md'), 3000)).toBeUndefined()
      })

      it('loses no bytes when files come while it goes', async () => {
        const notes = await make('notes')
        const files = Array.from({ length: 12 }, (_, index) => newFile(`${index}.md`))
        const adding = files.map((file) => catalog.files.add(notes.id, file, 3000))
        const [rows, gone] = await Promise.all([Promise.all(adding), catalog.collections.remove(notes.id)])
        const added = there(rows).map((row) => row.blob)
        expect(gone.map((one) => one.blob).toSorted()).toEqual(added.toSorted())
      })
    })

    describe('files', () => {
      it('keeps a name once, also when several come at once', async () => {
        const notes = await make('notes')
        const made = there(await all(8, () => catalog.files.add(notes.id, newFile('a.md'), 3000)))
        expect(made).toHaveLength(1)
        expect(made[0]).toMatchObject({
          collectionId: notes.id,
          format: 'markdown',
          revision: 1,
          status: null,
          chunks: 0,
          error: null,
          sourceId: null,
          createdAt: 3000,
          updatedAt: 3000,
        })
        expect(await catalog.files.get(notes.id, 'a.md')).toEqual(made[0])
        expect(await catalog.files.get(notes.id, 'A.md')).toBeUndefined()
        expect(await catalog.files.byIds([made[0]?.id ?? 0, 999_999])).toEqual(made)
        expect((await catalog.collections.get(local.id, 'notes'))?.updatedAt).toBe(3000)
      })

      it('lists by name, byte for byte', async () => {
        const notes = await make('notes')
        for (const one of ['ö.md', 'b.md', 'A.md', '漁.md', 'a.md']) await add(notes, newFile(one))
        const names = (await catalog.files.list(notes.id)).map((row) => row.name)
        expect(names).toEqual(['A.md', 'a.md', 'b.md', 'ö.md', '漁.md'])
      })

      it('finds files of several collections, all of them or those of some names', async () => {
        const [notes, drafts, others] = [await make('notes'), await make('drafts'), await make('others')]
        for (const one of ['a.md', 'b.md', 'ö"\'.md']) await add(notes, newFile(one))
        for (const { files, id } of [
          { files: ['a.md', 'c.md'], id: drafts },
          { files: ['a.md'], id: others },
        ])
          for (const one of files) await add(id, newFile(one))
        const among = async (names?: readonly string[]) =>
          (await catalog.files.among([notes.id, drafts.id, 999_999], names)).map(
            (row) => `${row.collectionId === notes.id ? 'notes' : 'drafts'} ${row.name}`,
          )
        expect((await among()).toSorted()).toEqual(
          ['drafts a.md', 'drafts c.md', 'notes a.md', 'notes b.md', 'notes ö"\'.md'].toSorted(),
        )
        expect((await among(['a.md', 'A.md'])).toSorted()).toEqual(['drafts a.md', 'notes a.md'])
        expect(await among(['ö"\'.md'])).toEqual(['notes ö"\'.md'])
        expect([...(await among([])), ...(await catalog.files.among([]))]).toEqual([])
      })

      it('replaces the bytes of a name and raises its revision', async () => {
        const notes = await make('notes')
        const old = newFile('a.md')
        const row = await add(notes, old)
        const { sourceId: _, ...next } = newFile('a.md', { sizeBytes: 9, sha256: 'bb' })
        expect(await catalog.files.replace(notes.id, next, 4000)).toMatchObject({
          row: { id: row.id, revision: 2, status: null, sizeBytes: 9, createdAt: 3000, updatedAt: 4000 },
          before: { id: row.id, blob: old.blob },
        })
        const second = await catalog.files.get(notes.id, 'a.md')
        if (second === undefined) throw new Error('the file is gone')
        await catalog.files.indexed(row, { chunks: 5 })
        expect((await catalog.files.get(notes.id, 'a.md'))?.status).toBeNull()
        await catalog.files.indexed(second, { chunks: 5 })
        expect(await catalog.files.get(notes.id, 'a.md')).toMatchObject({ status: 'INDEXED', chunks: 5 })
        const third = await catalog.files.replace(notes.id, { ...next, blob: 'third' }, 5000)
        expect(third?.row).toMatchObject({ revision: 3, status: 'NOT_INDEXED', chunks: 0 })
        const { updatedAt } = (await catalog.collections.get(local.id, 'notes')) ?? {}
        expect(await catalog.files.replace(notes.id, { ...next, name: 'b.md' }, 6000)).toBeUndefined()
        expect((await catalog.collections.get(local.id, 'notes'))?.updatedAt).toBe(updatedAt)
      })

      it('gives the bytes of each replacement back exactly once', async () => {
        const notes = await make('notes')
        const { sourceId: _, ...file } = newFile('a.md')
        await add(notes, { ...file, sourceId: null })
        const replaced = await all(10, (index) =>
          catalog.files.replace(notes.id, { ...file, blob: `next-${lastBlob}-${index}` }, 4000),
        )
        const left = await catalog.files.get(notes.id, 'a.md')
        const blobs = [...there(replaced).map(({ before }) => before.blob), left?.blob]
        expect(left?.revision).toBe(11)
        expect(new Set(blobs).size).toBe(11)
      })

      it('takes what was derived from a file with it', async () => {
        const notes = await make('notes')
        const source = await add(notes, newFile('a.pdf', { format: 'pdf' }))
        const derived = await add(notes, newFile('a.md', { sourceId: source.id }))
        expect(await catalog.files.derived(source.id)).toEqual([derived])
        expect(await catalog.files.derived(derived.id)).toEqual([])
        await add(notes, newFile('b.md'))
        const gone = (await all(3, () => catalog.files.remove(source.id))).flat()
        expect(gone.map((one) => one.id).toSorted(ascending)).toEqual([source.id, derived.id].toSorted(ascending))
        expect((await catalog.files.list(notes.id)).map((row) => row.name)).toEqual(['b.md'])
        expect(await catalog.files.add(notes.id, newFile('c.md', { sourceId: source.id }), 3000)).toBeUndefined()
      })

      it('says what a pass has to do, oldest first, and everything after a reset', async () => {
        const notes = await make('notes')
        const rows = [
          await add(notes, newFile('new.md'), 3300),
          await add(notes, newFile('old.md'), 3100),
          await add(notes, newFile('done.md'), 3200),
          await add(notes, newFile('failed.md'), 3200),
        ]
        for (const row of rows.slice(2)) await catalog.files.indexed(row, { chunks: 1 })
        const [, , , failed] = rows
        if (failed !== undefined) await catalog.files.indexed(failed, { error: 'broken' })
        const pending = async () => (await catalog.files.pending(notes.id)).map((row) => row.name)
        expect(await pending()).toEqual(['old.md', 'failed.md', 'new.md'])
        await catalog.collections.passEnded(notes.id, 5000)
        await catalog.files.resetIndex(notes.id, 6000)
        expect(await pending()).toEqual(['old.md', 'done.md', 'failed.md', 'new.md'])
        expect((await catalog.files.list(notes.id)).map((row) => row.status)).toEqual([
          'NOT_INDEXED',
          'NOT_INDEXED',
          null,
          null,
        ])
        expect((await catalog.collections.get(local.id, 'notes'))?.indexedAt).toBeNull()
      })
    })

    describe('quotas', () => {
      it('counts in every window, and in none when one is full', async () => {
        const key = await makeKey('a')
        const other = await makeKey('b')
        const taken = await all(40, () => catalog.quotas.take(key, windows(60, 30)))
        expect(taken.filter((one) => one.taken)).toHaveLength(30)
        const counts = taken.flatMap((one) => (one.taken ? [one.used[0] ?? 0] : []))
        expect(counts.toSorted(ascending)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
        expect(await catalog.quotas.used(key, windows(60))).toEqual([30, 30])
        expect(await catalog.quotas.used(other, windows(60))).toEqual([0, 0])
      })

      it('lets simultaneous calls with several keys of a user pass no further than the limit of them together', async () => {
        const keys = [await makeKey('a'), await makeKey('b')] as const
        const userId = (await catalog.keys.get(keys[0]))?.user.id ?? 0
        const before = (await catalog.quotas.usedByUser(userId, windows(60)))[0] ?? 0
        const limited = { userId, windows: windows(60, before + 7) }
        let turn = 0
        const taken = await all(20, () => catalog.quotas.take(keys[(turn += 1) % 2] ?? 0, windows(60), limited))
        expect(taken.filter((one) => one.taken)).toHaveLength(7)
        expect(await catalog.quotas.usedByUser(userId, windows(60))).toEqual([before + 7, before + 7])
        expect(taken.find((one) => !one.taken)).toMatchObject({ together: [before + 7, before + 7] })
      })

      it('begins anew with a new window, and goes on in those that last', async () => {
        const key = await makeKey('a')
        await all(30, () => catalog.quotas.take(key, windows(60, 30)))
        expect(await catalog.quotas.used(key, windows(120))).toEqual([0, 30])
        expect(await catalog.quotas.take(key, windows(120, 30))).toEqual({ taken: true, used: [1, 31] })
        const rest = await all(30, () => catalog.quotas.take(key, windows(120, 30)))
        expect(rest.filter((one) => one.taken)).toHaveLength(19)
        expect(rest.at(-1)).toEqual({ taken: false, used: [20, 50] })
      })

      it('counts without a limit, and refuses from the first on where there is no room', async () => {
        const key = await makeKey('a')
        expect(await catalog.quotas.take(key, windows(60, 0))).toEqual({ taken: false, used: [0, 0] })
        expect(await catalog.quotas.take(key, windows(60))).toEqual({ taken: true, used: [1, 1] })
        expect(await catalog.quotas.take(key, windows(60))).toEqual({ taken: true, used: [2, 2] })
      })

      it('lets a key pass that went between its check and its count', async () => {
        expect(await catalog.quotas.take(999_999, windows(60, 3))).toEqual({ taken: true, used: [1, 1] })
        expect(await catalog.quotas.used(999_999, windows(60, 3))).toEqual([0, 0])
      })
    })
  })
}
