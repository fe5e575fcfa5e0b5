import { addressesIn } from './addresses.ts'
import { createLinkFilter } from './links.ts'
import { createReferenceSplitter, type ReferenceSplitter } from './splitter.ts'

/**
 * Reads a streamed answer: what `push` returns, with `tail` behind it, may be shown as it comes. It holds no mark of the
 * platform, nothing of the References block, and no link but to addresses of the question: which others were read is
 * known only when the block has come, so the text of `resolveReferences` may have more of them.
 */
export function createAnswerReader(question: string): ReferenceSplitter {
  const splitter = createReferenceSplitter()
  const asked = addressesIn(question)
  const links = createLinkFilter((key) => asked.has(key))
  return {
    push: (delta) => links.push(splitter.push(delta)),
    end() {
      const end = splitter.end()
      return { ...end, tail: links.push(end.tail) + links.end() }
    },
  }
}
