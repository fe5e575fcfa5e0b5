import type { Adapter } from '../adapter.ts'
import { AdapterError } from '../errors.ts'
import type { Offers } from '../keepsakes-port.ts'

/** What is filed by ourselves is opened like any other attachment, also for a second try and after a restart. */
const SCHEME = 'footbridge:'

export const NOTE_KIND = 'note'

export const locatorOf = (offerId: string): string => `${SCHEME}${offerId}`

/** The adapter, with texts that we keep ourselves beside the files of its service. */
export function withOwnFiles(adapter: Adapter, offers: Offers): Adapter {
  return {
    ...adapter,
    async open(attachment, signal) {
      if (!attachment.locator.startsWith(SCHEME)) return adapter.open(attachment, signal)
      const offer = await offers.get(attachment.locator.slice(SCHEME.length))
      if (offer?.kind !== NOTE_KIND || typeof offer.data !== 'string')
        throw new AdapterError('not-found', 'What was said is not kept any more. File it again.')
      return new Blob([offer.data]).stream()
    },
  }
}
