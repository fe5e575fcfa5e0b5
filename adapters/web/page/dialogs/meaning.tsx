import type { VNode } from 'preact'
import type { WebSearch } from '#adapters/web/protocol.ts'
import { searchSentence } from '../parts/search-sentence.ts'
import { useMeaning } from '../parts/use-meaning.ts'
import { texts } from '../texts.ts'

/** Search by meaning: how files are searched now, and the switch where no setting rules. */
export function Meaning({ search: first }: { search: WebSearch }): VNode {
  const { search, problem, isChoosing, choose } = useMeaning(first)
  const offered = search.by === 'words' ? search.offeredMegabytes : undefined
  return (
    <section class="settings-part" aria-labelledby="meaning" data-testid="meaning">
      <h3 id="meaning">{texts.meaning}</h3>
      <p class="quiet-word" role="status">
        {searchSentence(search)}
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {offered !== undefined && (
        <>
          <p class="quiet-word">{texts.meaningWhat(offered)}</p>
          <button type="button" class="button small" aria-disabled={isChoosing} onClick={() => void choose(true)}>
            {texts.meaningOn(offered)}
          </button>
        </>
      )}
      {search.by === 'meaning' && search.isChosen === true && (
        <>
          <p class="quiet-word">{texts.meaningKept}</p>
          <button type="button" class="button small" aria-disabled={isChoosing} onClick={() => void choose(false)}>
            {texts.meaningOff}
          </button>
        </>
      )}
    </section>
  )
}
