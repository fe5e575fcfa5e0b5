/** One conversion as the child is asked for it. The result goes into a file: one JSON line a page. */
export interface ConvertCall {
  readonly id: number
  readonly path: string
  readonly out: string
  readonly maxPages: number
}

export interface ConvertAnswer {
  readonly id: number
  /** Pages with text. */
  readonly pages?: number
  readonly failure?: ConvertFailure
}

export type ConvertFailure = 'encrypted' | 'broken' | 'empty' | 'too-many-pages'
