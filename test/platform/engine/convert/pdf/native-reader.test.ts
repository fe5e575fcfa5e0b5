import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadNative, NATIVE_PACKAGES } from '#platform/engine/convert/pdf/native-reader.ts'

const optional = (() => {
  const content: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
  return (content as { optionalDependencies: Record<string, string> }).optionalDependencies
})()
const ofReader = Object.keys(optional).filter((name) => name.startsWith('@llamaindex/'))

it('looks for exactly the packages that npm may install', () => {
  expect(Object.values(NATIVE_PACKAGES).flat().toSorted()).toEqual(ofReader.toSorted())
})

it('is of one version on every machine', () => {
  expect(new Set(ofReader.map((name) => optional[name])).size).toBe(1)
})

it('loads where this test runs', () => {
  expect(loadNative()).toBeDefined()
})

it('is left to the pure reader on a machine for which there is none', () => {
  expect(loadNative('sunos-x64')).toBeUndefined()
})
