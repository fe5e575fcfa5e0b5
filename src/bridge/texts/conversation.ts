/** What is said about other answers, models, and keeping what was said. */
export interface ConversationTexts {
  readonly help: readonly string[]
  readonly another: string
  readonly shorter: string
  readonly longer: string
  readonly newestOnly: string
  readonly noRewrite: (why: string) => string
  readonly models: (lines: readonly string[]) => string
  readonly current: string
  readonly onlyModel: (name: string) => string
  readonly noModel: string
  readonly modelSet: (name: string) => string
  readonly modelReset: (name: string) => string
  readonly modelUnknown: (name: string) => string
  readonly nothingToKeep: string
  readonly keepInThread: string
  /** Heading of a thread that was kept. */
  readonly keptThread: (day: string) => string
  readonly keptMessage: (name: string, day: string) => string
  readonly question: string
  readonly toTheMessage: string
}

export const conversationEn: ConversationTexts = {
  help: [
    '- `model`: which language models there are; `model …` takes another one for this conversation.',
    '- 📌 on a message, or `keep thread` in a thread: it becomes a file here, with names, times and links.',
  ],
  another: '↻',
  shorter: 'Shorter',
  longer: 'Longer',
  newestOnly: 'I rewrite only the newest answer of a conversation. Just ask me again.',
  noRewrite: (why) => `The answer stays as it is: ${why}`,
  models: (lines) => ['These models can answer in this conversation:', ...lines].join('\n'),
  current: 'answers here now',
  onlyModel: (name) => `There is one model here, and it answers: \`${name}\`.`,
  noModel:
    'No language model is set up here; I quote the files themselves. Whoever runs me can set one (UPSTREAM_BASE_URL).',
  modelSet: (name) => `\`${name}\` answers in this conversation from now on. \`model usual\` ends that.`,
  modelReset: (name) => `The usual model answers here again: \`${name}\`.`,
  modelUnknown: (name) => `There is no model “${name}”. Say \`model\` to see those that there are.`,
  nothingToKeep: 'There is nothing that I can read here and keep as a file.',
  keepInThread: 'Say this in a thread or as a reply, or put 📌 on a message: then I keep that as a file.',
  keptThread: (day) => `Conversation of ${day}`,
  keptMessage: (name, day) => `${name}, ${day}`,
  question: 'Question',
  toTheMessage: 'message',
}

export const conversationDe: ConversationTexts = {
  help: [
    '- `model`: welche Sprachmodelle es gibt; `model …` nimmt für dieses Gespräch ein anderes.',
    '- 📌 an einer Nachricht oder `keep thread` in einem Thread: daraus wird hier eine Datei, mit Namen, Zeiten und Links.',
  ],
  another: '↻',
  shorter: 'Kürzer',
  longer: 'Länger',
  newestOnly: 'Ich schreibe nur die neueste Antwort eines Gesprächs um. Frag mich einfach noch einmal.',
  noRewrite: (why) => `Die Antwort bleibt, wie sie ist: ${why}`,
  models: (lines) => ['Diese Modelle können in diesem Gespräch antworten:', ...lines].join('\n'),
  current: 'antwortet hier jetzt',
  onlyModel: (name) => `Hier gibt es ein Modell, und das antwortet: \`${name}\`.`,
  noModel:
    'Hier ist kein Sprachmodell eingerichtet; ich zitiere die Dateien selbst. Wer mich betreibt, kann eines setzen (UPSTREAM_BASE_URL).',
  modelSet: (name) => `In diesem Gespräch antwortet ab jetzt \`${name}\`. Mit \`model usual\` endet das.`,
  modelReset: (name) => `Hier antwortet wieder das übliche Modell: \`${name}\`.`,
  modelUnknown: (name) => `Ein Modell „${name}“ gibt es nicht. Sag \`model\`, um zu sehen, welche es gibt.`,
  nothingToKeep: 'Hier ist nichts, was ich lesen und als Datei behalten kann.',
  keepInThread:
    'Sag das in einem Thread oder als Antwort, oder setz 📌 an eine Nachricht: dann behalte ich sie als Datei.',
  keptThread: (day) => `Gespräch vom ${day}`,
  keptMessage: (name, day) => `${name}, ${day}`,
  question: 'Frage',
  toTheMessage: 'Nachricht',
}
