import { expect, test } from 'vitest'
import { createReadiness } from '#src/operate/readiness.ts'

const ready = async (onlyAddressed?: readonly string[], warnings?: readonly string[]) =>
  (
    await createReadiness({
      version: '1',
      connections: () => new Map([['discord', true]]),
      onlyAddressed: () => onlyAddressed ?? [],
      warnings: () => warnings ?? [],
      isDraining: () => false,
      depth: () => Promise.resolve({ waiting: 0, running: 0, dead: 0 }),
      trouble: () => Promise.resolve(undefined),
      heartbeat: () => Promise.resolve(),
    })()
  ).json()

test('GET /readyz names services that pass on only what is addressed, and stays ready', async () => {
  expect(await ready(['discord'])).toMatchObject({
    status: 'ready',
    limited: [expect.stringMatching(/^discord: receives only messages addressed/)],
  })
  expect(await ready()).not.toHaveProperty('limited')
})

test('GET /readyz says what is wrong although all is connected, and stays ready', async () => {
  expect(await ready([], ['A token is used elsewhere.'])).toMatchObject({
    status: 'ready',
    warnings: ['A token is used elsewhere.'],
  })
  expect(await ready()).not.toHaveProperty('warnings')
})
