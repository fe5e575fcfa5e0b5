import { EngineError } from '../errors.ts'

/** The model server answered without a vector for a text. */
export class NoVector extends Error {
  constructor() {
    super('The model server gave no vector for a text.')
  }
}

type Make = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** A text that every model takes. */
const PROBE = 'text'

/** Parts of a refused text that are sent in its place: models limit tokens, and a token may be one character. */
const SHORTER = [1 / 2, 1 / 4, 1 / 8]

/**
 * Whether the server answered and may not want these texts. Most refuse a text that is too long with 400, 413 or 422,
 * llama.cpp with 500.
 */
const mayBeRefusal = (error: unknown) =>
  error instanceof NoVector ||
  (error instanceof EngineError &&
    (error.code === 'invalid' ||
      (error.code === 'upstream' && error.cause === undefined && error.status === undefined)))

/**
 * A vector for each text. A text that the model refuses is sent again, shortened; it is undefined if the model refuses
 * that, too. The other texts get their vectors all the same.
 *
 * @throws what `make` throws where the model gives no vector of any text now
 */
export async function embedTexts(make: Make, texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
  const whole = await unlessRefused(make, texts, () => make([PROBE]))
  return whole ?? divide(make, texts)
}

/**
 * @param check throws where the failure is not about the texts
 * @returns undefined where the model refuses these texts
 */
async function unlessRefused(make: Make, texts: readonly string[], check?: () => Promise<unknown>) {
  try {
    return await make(texts)
  } catch (error) {
    if (!mayBeRefusal(error)) throw error
    await check?.().catch(() => {
      throw error
    })
    return undefined
  }
}

async function divide(make: Make, texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
  if (texts.length < 2) return Promise.all(texts.map((text) => shorten(make, text)))
  const middle = Math.ceil(texts.length / 2)
  const found: (Float32Array | undefined)[] = []
  for (const half of [texts.slice(0, middle), texts.slice(middle)]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: the server has others to serve
    found.push(...((await unlessRefused(make, half)) ?? (await divide(make, half))))
  }
  return found
}

async function shorten(make: Make, text: string): Promise<Float32Array | undefined> {
  for (const part of SHORTER) {
    const beginning = text.slice(0, Math.ceil(text.length * part)).toWellFormed()
    if (beginning === '') break
    // oxlint-disable-next-line no-await-in-loop -- the longest part that is accepted
    const vectors = await unlessRefused(make, [beginning])
    if (vectors !== undefined) return vectors[0]
  }
  // This throws if the cause is an outage that began meanwhile.
  await make([PROBE])
  return undefined
}
