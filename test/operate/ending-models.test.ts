import { expect, it } from 'vitest'
import { endingModels, nameEndings } from '#operate/ending-models.ts'

const NOW = Date.parse('2026-11-27T23:00:00Z')
const on = (id: string, shutdownDate?: string) => ({ id, shutdownDate })

it('models that are shut down within 60 days, or were, are named, soonest first', () => {
  const models = [
    on('in-60-days', '2027-01-26'),
    on('in-61-days', '2027-01-27'),
    on('tomorrow', '2026-11-28'),
    on('gone', '2026-10-23'),
    on('stays'),
  ]
  expect(nameEndings(endingModels(models, NOW))).toBe(
    'gone on 2026-10-23, tomorrow on 2026-11-28, in-60-days on 2027-01-26',
  )
})

it.each(['', 'soon', '11/12/2026', '2026-13-45'])('the date %j is none', (date) => {
  expect(endingModels([on('one', date)], NOW)).toEqual([])
})

it('of many, eight are named', () => {
  const many = Array.from({ length: 10 }, (_, index) => on(`model-${index}`, '2026-12-11'))
  expect(nameEndings(endingModels(many, NOW))).toMatch(/^model-0 .*model-7 on 2026-12-11, and 2 more$/)
})
