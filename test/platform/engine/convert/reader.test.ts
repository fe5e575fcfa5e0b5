import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ConvertError, toFailure } from '#platform/engine/convert/reader.ts'

it('calls no document damaged whose text finds no room on the disk', async () => {
  const full = await writeFile('/dev/full', 'text').catch((error: unknown) => error)
  expect(toFailure(full)).toEqual({ failure: 'no-room', found: 'ENOSPC' })
  expect(toFailure(new TypeError('undefined is no function'))).toEqual({ failure: 'broken' })
  expect(toFailure(new ConvertError('renamed', { found: 'a PDF' }))).toEqual({ failure: 'renamed', found: 'a PDF' })
})
