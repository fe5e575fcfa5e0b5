import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

type Draw = (source: string, isBlock: boolean, place: HTMLElement) => void

const ADDRESS: string = '/assets/formulas.js'
let loading: Promise<Draw> | undefined

function load(): Promise<Draw> {
  loading ??= import(ADDRESS).then(({ drawFormula }: { readonly drawFormula: Draw }) => drawFormula)
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

interface FormulaProps {
  readonly source: string
  /** On a line of its own. */
  readonly isBlock: boolean
}

/** A formula as MathML; until it is drawn, and where it cannot be, its LaTeX. */
export function Formula({ source, isBlock }: FormulaProps): VNode {
  const place = useRef<HTMLSpanElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    let isWanted = true
    const draw = async () => {
      const drawFormula = await load()
      if (!isWanted || place.current === null) return
      drawFormula(source, isBlock, place.current)
      setDrawn(true)
    }
    draw().catch(() => isWanted && setDrawn(false))
    return () => {
      isWanted = false
    }
  }, [source, isBlock])
  return (
    <span class={isBlock ? 'formula block' : 'formula'} data-testid="formula" tabIndex={isBlock ? 0 : undefined}>
      <code hidden={isDrawn}>{source}</code>
      <span ref={place} hidden={!isDrawn} />
    </span>
  )
}
