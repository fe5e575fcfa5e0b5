import { z } from 'zod'
import { guess } from './names.ts'

/**
 * Profile of the key's owner. Shown: a username, an e-mail, a name, two counts and a registration date; every name of
 * a field is a guess (C). The count of collections is called as the profile says (`Profile.counts`).
 */
export const userProfile = z
  .object({
    username: z.string(),
    email: z.string(),
    first_name: z.string(),
    surname: z.string(),
    is_registered: z.boolean(),
    collection_count: z.int().min(0).optional(),
    arcana_count: z.int().min(0).optional(),
    file_count: z.int().min(0),
    created_at: z.string(),
  })
  .meta(guess('C'))

/** As a client must be able to read it. */
export const receivedUserProfile = z.looseObject({
  username: z.string().nullish(),
  email: z.string().nullish(),
  first_name: z.string().nullish(),
  surname: z.string().nullish(),
  is_registered: z.boolean().nullish(),
  collection_count: z.number().nullish(),
  arcana_count: z.number().nullish(),
  file_count: z.number().nullish(),
  created_at: z.string().nullish(),
})

export type UserProfile = z.infer<typeof userProfile>
export type ReceivedUserProfile = z.infer<typeof receivedUserProfile>

/** Shown: a string in dotted form. That it comes as this object is a guess (B). */
export const versionResponse = z.object({ version: z.string() }).meta(guess('B'))

/** As a client must be able to read it: the object, or a bare string. */
export const receivedVersion = z.union([z.looseObject({ version: z.string() }), z.string()])

export type VersionResponse = z.infer<typeof versionResponse>
