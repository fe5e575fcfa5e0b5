import type { Adapter } from '../../port/adapter.ts'
import { AdapterError } from '../../port/errors.ts'
import type { Attachment } from '../../port/message.ts'
import type { Offers } from '../../port/answer-store.ts'

/** What is filed by ourselves is opened like any other attachment, also for a second try and after a restart. */
const SCHEME = 'footbridge:'

export const NOTE_KIND = 'note'

export const locatorOf = (offerId: string): string => `${SCHEME}${offerId}`

/** The offer in which the text of this attachment is kept; undefined: it is a file of the chat service. */
export const noteOf = ({ locator }: Pick<Attachment, 'locator'>): string | undefined =>
  locator.startsWith(SCHEME) ? locator.slice(SCHEME.length) : undefined

/** The adapter, with texts that we keep ourselves beside the files of its service. */
export function withOwnFiles(adapter: Adapter, offers: Offers): Adapter {
  return {
    ...adapter,
    async open(attachment, signal) {
      const note = noteOf(attachment)
      if (note === undefined) return adapter.open(attachment, signal)
      const offer = await offers.get(note)
      if (offer?.kind !== NOTE_KIND || typeof offer.data !== 'string')
        throw new AdapterError('not-found', 'What was said is not kept any more. File it again.')
      return new Blob([offer.data]).stream()
    },
  }
}
