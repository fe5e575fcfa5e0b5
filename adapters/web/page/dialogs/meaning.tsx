import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WebSearch } from '#adapters/web/protocol.ts'
import { api, sentenceOf } from '../chat/api.ts'
import { searchSentence } from '../parts/search-sentence.ts'
import { texts } from '../texts.ts'

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 2000

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

function useMeaning(first: WebSearch) {
  const [search, setSearch] = useState(first)
  const [refused, setRefused] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  const isUnderWay = search.by === 'meaning' && search.state !== 'ready'
  useEffect(() => {
    const look = () =>
      api.state().then(
        (state) => state.search && setSearch(state.search),
        () => undefined,
      )
    void look()
    if (!isUnderWay) return undefined
    const looking = setInterval(() => void look(), LOOK_MS)
    return () => clearInterval(looking)
  }, [isUnderWay])
  const failed = search.by === 'meaning' && search.problem !== undefined ? texts.meaningProblem(search.problem) : ''
  const choose = async (on: boolean) => {
    if (isChoosing) return
    setRefused('')
    setChoosing(true)
    try {
      setSearch(await api.chooseMeaning(on))
    } catch (error) {
      setRefused(sentenceOf(error))
    } finally {
      setChoosing(false)
    }
  }
  return { search, problem: refused || failed, isChoosing, choose }
}
