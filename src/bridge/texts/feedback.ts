/** What is said about judging an answer. */
export interface FeedbackTexts {
  readonly up: string
  readonly down: string
  readonly reasonTitle: string
  readonly reasonLabel: string
  readonly thanksUp: string
  readonly thanksDown: string
  /** The answer is not on record any more. */
  readonly tooOld: string
}

export const feedbackEn: FeedbackTexts = {
  up: '👍',
  down: '👎',
  reasonTitle: 'What was wrong?',
  reasonLabel: 'In a few words, if you like',
  thanksUp: 'Thanks, noted.',
  thanksDown: 'Thanks, noted. Whoever runs me can see it and set it right.',
  tooOld: 'I have no record of this answer any more.',
}

export const feedbackDe: FeedbackTexts = {
  up: '👍',
  down: '👎',
  reasonTitle: 'Was stimmte nicht?',
  reasonLabel: 'In ein paar Worten, wenn du magst',
  thanksUp: 'Danke, ist notiert.',
  thanksDown: 'Danke, ist notiert. Wer mich betreibt, kann es sehen und richten.',
  tooOld: 'Diese Antwort habe ich nicht mehr in meinen Aufzeichnungen.',
}
