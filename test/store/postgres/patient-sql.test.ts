import { expect, it } from 'vitest'
import { StoreUnavailableError } from '#bridge/port/errors.ts'
import { isOutage } from '#sql/postgres/errors.ts'
import { retryWhileAway } from '#store/postgres/patient-sql.ts'

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

it('work is repeated while the database is away', async () => {
  let tries = 0
  const done = retryWhileAway(async () => {
    tries += 1
    if (tries < 3) throw away()
    return tries
  })
  expect(await done).toBe(3)
})

it('a database that stays away is told as such, and still counts as an outage', async () => {
  const error: unknown = await retryWhileAway(() => Promise.reject(away()), 60).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(isOutage(error)).toBe(true)
})

it('what is no outage is thrown at once, as it is', async () => {
  const fault = new Error('syntax error at or near "SELEC"')
  await expect(retryWhileAway(() => Promise.reject(fault), 60)).rejects.toBe(fault)
  expect(isOutage(fault)).toBe(false)
})
