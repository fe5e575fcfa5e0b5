import { describe, expect, it } from 'vitest'
import { openArchive, resolvePart } from '#platform/engine/convert/office/zip.ts'
import { makeZip } from '#test/fixtures/documents/zip.ts'

const limits = { unpackedBytes: 1_000_000 }
const open = (bytes: Uint8Array, verify = false) => openArchive(Buffer.from(bytes), { ...limits, verify })
const failure = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as { failure?: string }).failure
  }
  return 'none'
}

describe('openArchive', () => {
  it('reads parts by name', () => {
    const archive = open(makeZip({ 'a.txt': 'Größe', 'b/c.txt': '' }))
    expect(archive.names).toEqual(['a.txt', 'b/c.txt'])
    expect(archive.read('a.txt')?.toString()).toBe('Größe')
    expect(archive.read('b/c.txt')?.length).toBe(0)
    expect(archive.read('no')).toBeUndefined()
  })

  it('refuses what claims to unpack to more than the limit', () => {
    expect(
      failure(() => open(makeZip({ a: { content: 'x', claims: 600_000 }, b: { content: 'x', claims: 600_000 } }))),
    ).toBe('too-big')
  })

  it('refuses a part that is larger than it claims, before a parser sees it', () => {
    const lying = makeZip({ a: { content: 'x'.repeat(5000), claims: 10 } })
    expect(failure(() => open(lying, true))).toBe('too-big')
    expect(failure(() => open(lying).read('a'))).toBe('too-big')
  })

  it('leaves out a part that is smaller than it claims, and says so', () => {
    const lost: string[] = []
    const bytes = Buffer.from(makeZip({ a: { content: 'x', claims: 10 }, b: 'y' }))
    const archive = openArchive(bytes, { ...limits, onLost: (name) => void lost.push(name) })
    expect([archive.read('a'), archive.need('c'), archive.need('http://c'), archive.read('b')?.toString()]).toEqual([
      undefined,
      undefined,
      undefined,
      'y',
    ])
    expect(lost).toEqual(['a', 'c'])
  })

  it('refuses what is locked', () => {
    expect(failure(() => open(makeZip({ a: { content: 'x', encrypted: true } })))).toBe('encrypted')
  })

  it('refuses a file that is cut anywhere', () => {
    const whole = makeZip({ 'a.txt': 'some text', 'b.txt': 'more of it' })
    for (let length = 0; length < whole.length; length += 1) {
      expect(failure(() => open(whole.slice(0, length), true))).toBe('broken')
    }
  })
})

describe('resolvePart', () => {
  it.each([
    ['ppt/slides/slide1.xml', '../media/a.png', 'ppt/media/a.png'],
    ['content.xml', './Pictures/a.png', 'Pictures/a.png'],
    ['EPUB/text/a.xhtml', '/EPUB/b.png', 'EPUB/b.png'],
    ['a.xml', '../../../etc/passwd', 'etc/passwd'],
  ])('from %s to %s', (from, target, path) => {
    expect(resolvePart(from, target)).toBe(path)
  })
})
