import { z } from 'zod'
import { guess } from './sureness.ts'

/** Shown: a string in dotted form. That it comes as this object is a guess (B). */
export const versionResponse = z.object({ version: z.string() }).meta(guess('B'))

/** As a client must be able to read it: the object, or a bare string. */
export const receivedVersion = z.union([z.looseObject({ version: z.string() }), z.string()])

export type VersionResponse = z.infer<typeof versionResponse>
