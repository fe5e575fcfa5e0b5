/** Presentations of PowerPoint 97 to 2003, and those that are made to harm. */
import { CFB } from '@e965/xlsx'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readStreams } from '#platform/engine/convert/old/ole-objects.ts'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { toSource } from '#test/fixtures/documents/source.ts'

const slides = await readFile(new URL('../../../../reports/documents/slides.ppt', import.meta.url))
const read = (bytes: Uint8Array, name = 'a.ppt') => readDocument(toSource(bytes, { name }))

const streamOf = (name: string): Buffer => readStreams(slides).get(name) ?? Buffer.alloc(0)

function pack(user: Buffer, stream: Buffer): Buffer {
  const file = CFB.utils.cfb_new()
  CFB.utils.cfb_add(file, '/Current User', user)
  CFB.utils.cfb_add(file, '/PowerPoint Document', stream)
  const packed: Buffer = CFB.write(file, { type: 'buffer' })
  return packed
}

describe('an old presentation', () => {
  it('has a part for each slide, also as a show', async () => {
    const { pages } = await read(slides, 'a.pps')
    expect(pages.map(({ markdown }) => markdown.split('\n')[0])).toEqual(['## Slide 1: Boats of 2026', '## Slide 2'])
  })

  it('is called protected where it has a password', async () => {
    const user = Buffer.from(streamOf('Current User'))
    user.writeUInt32LE(0xf3_d1_c4_df, 12)
    await expect(read(pack(user, streamOf('PowerPoint Document')))).rejects.toMatchObject({ failure: 'encrypted' })
  })

  it('is damaged where a part is cut off, or a record holds itself, and takes no time', async () => {
    const stream = streamOf('PowerPoint Document')
    const user = Buffer.from(streamOf('Current User'))
    await expect(read(pack(user, stream.subarray(0, stream.length - 200)))).rejects.toMatchObject({ failure: 'broken' })
    // Containers within containers to the end of the stream.
    const deep = Buffer.alloc(800_000)
    for (let at = 0; at + 8 <= deep.length; at += 8) {
      deep.writeUInt16LE(0x0f, at)
      deep.writeUInt16LE(0x03_e8, at + 2)
      deep.writeUInt32LE(deep.length - at - 8, at + 4)
    }
    user.writeUInt32LE(0, 16)
    await expect(read(pack(user, deep))).rejects.toMatchObject({ failure: 'broken' })
    user.writeUInt32LE(8, 16)
    await expect(read(pack(user, deep))).rejects.toMatchObject({ failure: 'broken' })
  })
})
