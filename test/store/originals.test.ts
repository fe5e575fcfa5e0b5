import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOriginals } from '#store/originals.ts'

function setUp() {
  const directory = mkdtempSync(join(tmpdir(), 'footbridge-originals-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return { directory, originals: createOriginals(directory) }
}
const shaOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('originals', () => {
  it('are kept byte for byte, once, and gone when removed', async () => {
    const { directory, originals } = setUp()
    const sha = shaOf('bytes')
    await Promise.all([originals.keep('c', sha, new Blob(['bytes'])), originals.keep('c', sha, new Blob(['bytes']))])
    expect(await (await originals.read('c', sha))?.text()).toBe('bytes')
    expect(await originals.list('c')).toEqual([sha])
    expect(await originals.collections()).toEqual(['c'])
    await originals.remove('c', sha)
    await originals.remove('c', sha)
    expect(await originals.read('c', sha)).toBeUndefined()
    expect(readdirSync(directory)).toEqual([])
  })

  it('of one collection are not those of another', async () => {
    const { originals } = setUp()
    await originals.keep('a/../b', shaOf('x'), new Blob(['x']))
    expect(await originals.read('b', shaOf('x'))).toBeUndefined()
    expect(await originals.collections()).toEqual(['a/../b'])
    expect(await originals.list('nothing')).toEqual([])
  })

  it('that are not what they are called are refused, and leave nothing behind', async () => {
    const { directory, originals } = setUp()
    await expect(originals.keep('c', shaOf('x'), new Blob(['y']))).rejects.toThrow(/are not those/)
    await expect(originals.read('c', '../../etc/passwd')).rejects.toThrow(/is no SHA-256/)
    expect(readdirSync(join(directory, 'c'))).toEqual([])
  })
})
