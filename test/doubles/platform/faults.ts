/** The double's act in place of its ordinary answer. Each fault is used up by one request, unless scripted for more. */
export type Fault =
  /** Takes the request and never answers. With `carryOut` the work is done all the same. */
  | { readonly kind: 'hang'; readonly carryOut?: boolean }
  /** Closes the connection without an answer. */
  | { readonly kind: 'drop'; readonly carryOut?: boolean }
  /** Any status with any body. `carryOut`: a gateway gave up, the work goes on. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: string
      readonly contentType?: string
      readonly headers?: Readonly<Record<string, string>>
      readonly carryOut?: boolean
    }
  /** 429 of one window, with the headers of all. */
  | {
      readonly kind: 'rate-limit'
      readonly window: 'minute' | 'hour' | 'day' | 'month'
      readonly resetSeconds?: number
      readonly retryAfter?: string
      /** Without any header: only the words. */
      readonly bare?: boolean
    }
  /** The ordinary answer, once `until` resolves. */
  | { readonly kind: 'delay'; readonly until: Promise<unknown> }
  /** Index trigger: 200 at once, but the pass takes this many looks at the list or record (PENDING, PROCESSING). */
  | { readonly kind: 'polls'; readonly polls: number }
  /** The body in exactly these pieces, one write each. */
  | {
      readonly kind: 'raw'
      readonly pieces: readonly (string | Uint8Array)[]
      readonly status?: number
      readonly contentType?: string
      readonly end?: 'end' | 'destroy' | 'hang'
    }
  /**
   * Chat: the text in place of the double's own answer. A References block is appended only if `references` is given.
   */
  | { readonly kind: 'answer'; readonly text: string; readonly reasoning?: string; readonly finishReason?: string }
  /** Chat: the ordinary answer, ended after this many text events, by silence or a broken connection. */
  | { readonly kind: 'break'; readonly after: number; readonly by: 'destroy' | 'end' | 'hang' }
  /** Chat: an error event inside the 200 stream, after this many text events. */
  | {
      readonly kind: 'stream-error'
      readonly after: number
      readonly form: 'object' | 'type' | 'error' | 'event'
      readonly message: string
    }
  /** Chat: a pause before each text event; the double's `sleep` says how long a pause is. */
  | { readonly kind: 'slow'; readonly intervalMs: number }
  /** Chat: this many comment lines, a pause apart, before the first event. */
  | { readonly kind: 'pings'; readonly count: number; readonly intervalMs: number }
  /** Chat: a real tool call in the stream, which nobody may execute. */
  | { readonly kind: 'tool-call'; readonly name: string; readonly arguments: string; readonly only?: boolean }
  /** Chat: one JSON document although a stream was asked for. */
  | { readonly kind: 'unstreamed' }
  /** Voice: the spoken words. */
  | { readonly kind: 'transcript'; readonly text: string }
  /** Documents: the converted text. */
  | { readonly kind: 'converted'; readonly markdown: string }

export const operations = [
  'version',
  'heartbeat',
  'user',
  'list',
  'create',
  'get',
  'delete',
  'files',
  'upload',
  'replace',
  'delete-file',
  'download',
  'generate-index',
  'delete-index',
  'models',
  'chat',
  'probe',
  'transcribe',
  'translate',
  'convert',
  'embeddings',
] as const

export type Operation = (typeof operations)[number]

/** Every error body of the wire notes, with a status that it comes with and the words a client should find in it. */
export const errorBodies = [
  { status: 400, body: '{"detail":"Service or model not specified"}', says: 'Service or model not specified' },
  {
    status: 422,
    body: '{"detail":[{"loc":["body","name"],"msg":"String too long","type":"string_too_long"}]}',
    says: 'body.name: String too long',
  },
  { status: 500, body: '{"message":"An unexpected error occurred"}', says: 'An unexpected error occurred' },
  { status: 401, body: '{"message":"Unauthorized"}', says: 'Unauthorized' },
  {
    status: 400,
    body: '{"error":{"message":"max_tokens too large","type":"BadRequestError","code":400}}',
    says: 'max_tokens too large',
  },
  {
    status: 404,
    body: '{"object":"error","message":"The model does not exist.","type":"NotFoundError","param":null,"code":404}',
    says: 'The model does not exist.',
  },
  { status: 404, body: 'Model Not Found', contentType: 'text/html', says: 'Model Not Found' },
  {
    status: 502,
    body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>\r\n</html>',
    contentType: 'text/html',
    says: '502 Bad Gateway',
  },
  {
    status: 504,
    body: '<!DOCTYPE html><html><head><style>h1{color:red}</style></head><body><h1>504 Gateway Time-out</h1>The server didn&#39;t respond in time.</body></html>',
    contentType: 'text/html; charset=utf-8',
    says: '504 Gateway Time-out',
  },
  { status: 500, body: '', says: '' },
] as const satisfies readonly { status: number; body: string; contentType?: string; says: string }[]

/** 504 of the gateway while the pass goes on for this many looks. */
export const gatewayTimeout = (carryOut = true): Fault => ({
  kind: 'status',
  status: 504,
  body: errorBodies[8].body,
  contentType: 'text/html',
  carryOut,
})
