import { describe, expect, it } from 'vitest'
import { toSrt, toVtt } from '#platform/engine/voice/transcribe.ts'

const segments = [
  { start: 0, end: 1.5, text: ' Hello there. ' },
  { start: 1.5, end: 3661.0424, text: 'Two\n\nlines & <b> --> more' },
  { start: 9, end: 8, text: '' },
]

describe('subtitles', () => {
  it('are numbered in srt, with a comma before the milliseconds', () => {
    expect(toSrt(segments)).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nHello there.\n\n2\n00:00:01,500 --> 01:01:01,042\nTwo lines & <b> → more\n\n',
    )
  })

  it('have a head in vtt, and nothing in them that it would read as its own', () => {
    expect(toVtt(segments)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello there.\n\n00:00:01.500 --> 01:01:01.042\nTwo lines &amp; &lt;b> → more\n\n',
    )
  })

  it('never end before they begin', () => {
    expect(toSrt([{ start: 2, end: 1, text: 'x' }])).toContain('00:00:02,000 --> 00:00:02,000')
  })

  it('of silence are an empty file of their kind', () => {
    expect([toSrt([]), toVtt([])]).toEqual(['', 'WEBVTT\n\n'])
  })
})
