import { afterEach, beforeEach, describe } from 'vitest'
import { attachmentTests } from './adapter/attachments.ts'
import { createDesk } from './adapter/desk.ts'
import { failingTests } from './adapter/failing.ts'
import type { AdapterHarness } from './adapter/harness.ts'
import { filingTests } from './adapter/filing.ts'
import { postingTests } from './adapter/posting.ts'
import { promptTests } from './adapter/prompting.ts'
import { receivingTests } from './adapter/receiving.ts'
import { roomTests } from './adapter/rooms.ts'
import { streamingTests } from './adapter/streaming.ts'
import { tellingTests } from './adapter/telling.ts'

export type { AdapterHarness, FaultKind, Sent, VisibleMessage } from './adapter/harness.ts'

/**
 * What every adapter keeps, whatever its service. Run it with a harness that speaks to the real SDK against a double;
 * for an optional member that adapter or harness lacks there is no test.
 */
export function adapterContract(name: string, makeHarness: () => Promise<AdapterHarness>): void {
  describe(`${name} keeps the adapter contract`, async () => {
    // Which members there are decides which tests there are: one look at a harness before any test.
    const probe = await makeHarness()
    await probe.adapter.stop()
    await probe.close()

    const desk = createDesk(probe, makeHarness)
    beforeEach(desk.open)
    afterEach(desk.close)
    receivingTests(desk)
    attachmentTests(desk)
    postingTests(desk)
    streamingTests(desk)
    tellingTests(desk)
    roomTests(desk)
    promptTests(desk)
    filingTests(desk)
    failingTests(desk)
  })
}
