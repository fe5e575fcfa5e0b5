/** The bridge and the engine keep a list of extensions each: the engine reads each that the bridge takes. */
import { expect, it } from 'vitest'
import { extensionsOf, fileKindOf } from '#lib/file-kind.ts'
import { EXTENSIONS, kindOf } from '#platform/engine/convert/document-kind.ts'

it('reads every extension that the bridge sends to be converted', () => {
  const sent = (['convertible', 'image'] as const).flatMap(extensionsOf)
  expect(sent.length).toBeGreaterThan(40)
  expect(sent.filter((extension) => kindOf(`a.${extension}`) === undefined)).toEqual([])
})

it('has no reader whose documents the bridge refuses', () => {
  const read = Object.values(EXTENSIONS).flatMap((names) => names.split(' '))
  expect(read.filter((extension) => ['audio', 'unsupported'].includes(fileKindOf(`a.${extension}`, '')))).toEqual([])
})
