import { useEffect, useState } from 'preact/hooks'
import type { WebSearch } from '#adapters/web/protocol.ts'
import { api, sentenceOf } from '../chat/api.ts'
import { texts } from '../texts.ts'

/** Milliseconds between two looks at the progress. */
const LOOK_MS = 2000

/** How files are searched, as it changes, and the switch of search by meaning. */
export function useMeaning(first: WebSearch) {
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
