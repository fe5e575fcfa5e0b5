import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { openSettingsFile } from '#init/settings-file.ts'
import { openFolder } from './terminal.ts'

test('other lines stay, and a setting of two lines is changed where it counts', () => {
  const path = join(openFolder(), '.env')
  writeFileSync(path, '# head\nPORT=1\n\nexport HOST=a # note\nPORT=2')
  const file = openSettingsFile(path)
  file.set({ PORT: '3', HOST: 'b', DATA_DIR: '/srv/my data' })
  expect(readFileSync(path, 'utf8')).toBe('# head\nPORT=1\n\nHOST=b\nPORT=3\nDATA_DIR="/srv/my data"\n')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a link to a file stays one', () => {
  const folder = openFolder()
  writeFileSync(join(folder, 'real'), 'PORT=1\n')
  symlinkSync(join(folder, 'real'), join(folder, '.env'))
  openSettingsFile(join(folder, '.env')).set({ PORT: '2' })
  expect(lstatSync(join(folder, '.env')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('PORT=2\n')
})

test('whatever is written is read again as it was, or refused', () => {
  const path = join(openFolder(), '.env')
  const file = openSettingsFile(path)
  const isWritten = (value: string) => {
    try {
      file.set({ WEB_PASSWORD: value })
      return true
    } catch {
      return false
    }
  }
  const holds = (value: string) => !isWritten(value) || parseEnv(readFileSync(path, 'utf8'))['WEB_PASSWORD'] === value
  assert(property(string({ maxLength: 12 }), holds), { numRuns: 200 })
  expect(() => file.set({ WEB_PASSWORD: '"\'`' })).toThrow('WEB_PASSWORD has characters')
})
