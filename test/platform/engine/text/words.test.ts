import { describe, expect, it } from 'vitest'
import { detectLanguage } from '#platform/engine/text/languages.ts'
import { tellingPart } from '#platform/engine/text/words.ts'

describe('tellingPart', () => {
  it('leaves out pairs that only ask, simplified and traditional', () => {
    for (const pair of ['什么', '什麼', '多少', '哪些', '为什', '如何']) expect(tellingPart(pair, 0.3)).toBe(0)
  })

  it('lowers pairs that lie across grammar or are particles', () => {
    for (const pair of ['港的', '在港', 'から']) expect(tellingPart(pair, 0.3)).toBe(0.3)
  })

  it('takes other words in full', () => {
    for (const pair of ['港口', '渡轮', '東京', '한국', 'ferry']) expect(tellingPart(pair, 0.3)).toBe(1)
  })
})

describe('detectLanguage', () => {
  it('is not led by borrowed names in a text of another script', () => {
    const text = '港口的渡轮在每天早上九点出发。船名是 La Niña de Cádiz，由当地居民在一百多年前建造，至今仍在使用。'
    expect(detectLanguage(text)).toBe('und')
  })

  it('tells a sentence by its small words', () => {
    expect(detectLanguage('Die Fähre fährt um neun Uhr von dem Hafen ab.')).toBe('de')
    expect(detectLanguage('The ferry leaves from the harbour at nine.')).toBe('en')
  })
})
