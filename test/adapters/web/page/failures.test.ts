import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { german } from '#adapters/web/page/german.ts'

const SERVER = join(import.meta.dirname, '../../../../adapters/web/server')

test('a German page has a sentence for each failure of the server, and no others', () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const source = files.map((file) => readFileSync(join(SERVER, file), 'utf8')).join('\n')
  const codes = [...source.matchAll(/RequestFailure\(\s*\d+,\s*'([\w-]+)'|code: '([\w-]+)'/g)].map(
    ([, thrown, told]) => thrown ?? told,
  )
  expect(codes.length).toBeGreaterThan(20)
  expect(new Set(Object.keys(german.failures))).toEqual(new Set(codes))
})
