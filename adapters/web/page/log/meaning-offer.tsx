import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WebSearch } from '#adapters/web/protocol.ts'
import type { ChannelLog } from '../chat/state.ts'
import { keepSetting, keptSetting } from '../parts/kept-setting.ts'
import { searchSentence } from '../parts/search-sentence.ts'
import { useMeaning } from '../parts/use-meaning.ts'
import { texts } from '../texts.ts'

/** Kept in place of a message once somebody has decided. */
const DECIDED = 'decided'

/** The message under which search by meaning is offered: the first answer that found nothing sure, and no other ever. */
export function useMeaningOffer(log: ChannelLog, search: WebSearch | undefined): string | undefined {
  const [kept, setKept] = useState(() => keptSetting('meaningOffer'))
  const isOffered = search?.by === 'words' && search.offeredMegabytes !== undefined
  const unsure = log.messages.find(({ isUnsure, streaming }) => isUnsure === true && !streaming)?.id
  const at = isOffered ? (kept ?? unsure) : undefined
  useEffect(() => {
    if (kept !== undefined || at === undefined) return
    keepSetting('meaningOffer', at)
    setKept(at)
  }, [kept, at])
  return at
}

const decide = () => keepSetting('meaningOffer', DECIDED)

/** Search by meaning, offered once where words alone did not find the answer. */
export function MeaningOffer({ search: first }: { search: WebSearch }): VNode | null {
  const { search, problem, isChoosing, choose } = useMeaning(first)
  const [isOver, setOver] = useState(false)
  const [isChosen, setChosen] = useState(false)
  const megabytes = search.by === 'words' ? search.offeredMegabytes : undefined
  // It may be switched on in the settings meanwhile.
  if (isOver || (megabytes === undefined && !isChosen)) return null
  return (
    <section class="offer" aria-label={texts.meaning} data-testid="meaning-offer">
      <p role="status">{megabytes === undefined ? searchSentence(search) : texts.meaningOffer(megabytes)}</p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {megabytes !== undefined && (
        <div class="offer-buttons">
          <button
            type="button"
            class="button small primary"
            aria-disabled={isChoosing}
            onClick={() => {
              decide()
              setChosen(true)
              void choose(true)
            }}
          >
            {texts.meaningOn(megabytes)}
          </button>
          <button
            type="button"
            class="button small"
            onClick={() => {
              decide()
              setOver(true)
            }}
          >
            {texts.notNow}
          </button>
        </div>
      )}
    </section>
  )
}
