import { storageTrouble } from '#lib/storage-trouble.ts'
import { isPlatformFailure, StoreUnavailableError } from '../port/errors.ts'

/** Nothing can be stored now, here or on the platform: the same goes well when there is room again. */
export const isStorageAway = (error: unknown): boolean =>
  error instanceof StoreUnavailableError ||
  storageTrouble(error) !== undefined ||
  (isPlatformFailure(error) && error.code === 'no-room')
