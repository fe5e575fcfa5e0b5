/**
 * The most that Slack takes: of characters, or of parts. By https://docs.slack.dev/reference, where no line names another
 * source.
 */
export const LIMITS = {
  action_id: 255,
  'attachments of a message': 100,
  block_id: 255,
  'blocks of a message': 50,
  'blocks of a view': 100,
  // By the code of vercel/chat, which was tried on Slack.
  'bars of a series': 20,
  'button text': 75,
  'button url': 3_000,
  'button value': 2_000,
  callback_id: 255,
  'cells of all tables': 10_000,
  'channels on a page': 999,
  // Not in the documentation (vercel/chat#696).
  'charts of a message': 2,
  'child blocks of a container': 10,
  'columns of a table': 20,
  'container subtitle': 150,
  'container title': 150,
  'context element': 2_000,
  'elements of a context block': 10,
  'elements of an actions block': 25,
  // In practice (nautobot#133).
  'ephemeral message': 3_000,
  external_id: 255,
  'field of a section': 2_000,
  'fields of a section': 10,
  header: 150,
  'input hint': 2_000,
  'input label': 2_000,
  'input max_length': 3_000,
  'label in a chart': 20,
  'loading messages': 10,
  'markdown block': 12_000,
  'markdown blocks together': 12_000,
  markdown_text: 12_000,
  'members on a page': 1_000,
  'messages on a page': 999,
  'option text': 75,
  'option value': 150,
  'options of a select': 100,
  placeholder: 150,
  private_metadata: 3_000,
  'rich text link': 3_000,
  'rows of a table': 101,
  'section text': 3_000,
  'series of a chart': 6,
  'session title': 200,
  // Measured between 10,600 and 11,300 UTF-8 bytes (openclaw#143882); everything in the message counts.
  'streamed bytes': 10_800,
  'suggested prompts': 4,
  // In practice; the 40,000 of the documentation is old (seratch/ChatGPT-in-Slack#102).
  text: 4_000,
  'tables of a message': 1,
  'title of a chart': 50,
  // bolt-js#2509: 13,172 characters with a divider were refused.
  'texts of all blocks': 13_100,
  'view close': 24,
  'view submit': 24,
  'view title': 24,
} as const

export type Limit = keyof typeof LIMITS
