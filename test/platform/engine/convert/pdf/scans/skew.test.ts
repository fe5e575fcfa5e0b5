import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { skewOf } from '#platform/engine/convert/pdf/scans/skew.ts'
import { makePictures, type ScanOptions } from '#test/fixtures/scan.ts'

const text = 'The harbour office measures the tide twice a day. High water comes fifty minutes later. '.repeat(6)

const skewIn = async (words: string, options: ScanOptions) => {
  const [picture = Buffer.alloc(0)] = await makePictures([{ text: words }], { dpi: 72, ...options })
  return skewOf(PNG.sync.read(picture))
}

describe('the skew of a page', () => {
  it.each([0.5, 1, 2, 3, 5, -0.7, -4])('is found to a quarter of a degree: %f', async (skew) => {
    expect(Math.abs((await skewIn(text, { skew })) - skew)).toBeLessThan(0.25)
  })

  it('is found where the page lies on its side', async () => {
    expect(Math.abs((await skewIn(text, { skew: 3, turn: 90 })) - 3)).toBeLessThan(0.25)
  })

  it.each<NonNullable<ScanOptions['colours']>>([
    { ink: [0, 0, 0], paper: [230, 0, 126] },
    { ink: [0, 255, 255], paper: [255, 255, 255] },
    { ink: [230, 0, 126], paper: [255, 255, 255] },
  ])('is found of letters in a colour: %j', async (colours) => {
    expect(Math.abs((await skewIn(text, { skew: 3, colours })) - 3)).toBeLessThan(0.25)
  })

  it('is none on a level page, one with few words, and one of noise', async () => {
    expect(await skewIn(text, {})).toBe(0)
    expect(await skewIn(text, { turn: 90 })).toBe(0)
    expect(await skewIn('Two words', { skew: 4 })).toBe(0)
    const noise = new PNG({ width: 300, height: 300 })
    for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = (at * 2_654_435_761) % 251
    expect(skewOf(noise)).toBe(0)
  })
})
