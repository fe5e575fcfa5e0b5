import { afterEach, beforeEach, describe } from 'vitest'
import { attachmentTests } from './adapter/attachments.ts'
import { createSubject } from './adapter/subject.ts'
import { failingTests } from './adapter/failing.ts'
import type { AdapterHarness } from './adapter/harness.ts'
import { pinAndUploadTests } from './adapter/pins-and-uploads.ts'
import { postingTests } from './adapter/posting.ts'
import { promptTests } from './adapter/prompting.ts'
import { receivingTests } from './adapter/receiving.ts'
import { roomTests } from './adapter/rooms.ts'
import { streamingTests } from './adapter/streaming.ts'
import { notifyingTests } from './adapter/notifying.ts'

export type { AdapterHarness, FaultKind, Sent, VisibleMessage } from './adapter/harness.ts'

/**
 * Promises of every adapter, whatever its service. Run it with a harness that speaks to the real SDK against a double;
 * for an optional member that adapter or harness lacks there is no test.
 */
export function adapterContract(name: string, makeHarness: () => Promise<AdapterHarness>): void {
  describe(`${name} keeps the adapter contract`, async () => {
    // Which members there are decides which tests there are: one look at a harness before any test.
    const probe = await makeHarness()
    await probe.adapter.stop()
    await probe.close()

    const subject = createSubject(probe, makeHarness)
    beforeEach(subject.open)
    afterEach(subject.close)
    receivingTests(subject)
    attachmentTests(subject)
    postingTests(subject)
    streamingTests(subject)
    notifyingTests(subject)
    roomTests(subject)
    promptTests(subject)
    pinAndUploadTests(subject)
    failingTests(subject)
  })
}
