import { expect, it } from 'vitest'
import { storageTrouble } from '#lib/storage-trouble.ts'

it.each([
  [{ code: 'ENOSPC' }, 'space'],
  [{ code: 'EDQUOT' }, 'space'],
  [{ code: '53100' }, 'space'],
  [{ code: 'EMFILE' }, 'descriptors'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 778 }, 'space'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 14 }, 'descriptors'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 19 }, undefined],
  [{ code: 'ECONNREFUSED' }, undefined],
])('%o is trouble with %s, also as the cause of another error', (fields, trouble) => {
  const error = Object.assign(new Error('failed'), fields)
  expect(storageTrouble(error)).toBe(trouble)
  expect(storageTrouble(new Error('outer', { cause: error }))).toBe(trouble)
})
