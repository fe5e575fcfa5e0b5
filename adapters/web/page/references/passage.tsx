import type { VNode } from 'preact'
import type { Reference } from '#adapters/web/protocol.ts'
import { cutPassage, type PassageBlock, type Piece } from './passage-blocks.ts'
import { texts } from '../texts.ts'

/** The passage as people read it, with the sentence that supports the answer marked. */
export function Passage({ reference }: { reference: Reference }): VNode {
  return (
    <>
      {cutPassage(reference.passage, reference.support).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </>
  )
}

function Block({ block }: { block: PassageBlock }): VNode {
  if (block.kind === 'list')
    return (
      <ul class="passage-list">
        {block.items.map((item, index) => (
          <li key={index}>{drawn(item)}</li>
        ))}
      </ul>
    )
  if (block.kind !== 'table')
    return <p class={block.kind === 'heading' ? 'passage-heading' : undefined}>{drawn(block.pieces)}</p>
  return (
    <div class="passage-table" tabIndex={0} role="group" aria-label={texts.table}>
      <table>
        {block.head && (
          <thead>
            <tr>
              {block.head.map((cell, index) => (
                <th key={index} scope="col">
                  {drawn(cell)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{drawn(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const drawn = (pieces: readonly Piece[]): readonly (VNode | string)[] =>
  pieces.map(({ text, marked }) =>
    marked ? (
      <mark key="support" data-testid="reference-support">
        {text}
      </mark>
    ) : (
      text
    ),
  )
