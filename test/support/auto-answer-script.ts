/** A channel of people who ask what the files answer, ask something else, and chat. */

const PLACES = [
  'ferry office',
  'harbour crane',
  'fish market',
  'sailing school',
  'lighthouse',
  'dry dock',
  'customs house',
  'boat yard',
  'fuel pier',
  'north mole',
]
const PEOPLE = [
  'Ines Brandt',
  'Jon Adair',
  'Petra Voss',
  'Milo Serra',
  'Nadia Kern',
  'Oskar Lind',
  'Rosa Melo',
  'Tariq Hale',
  'Uma Frey',
  'Willem Dorn',
]
/** Facts of the files on each place: a sentence, and its question. */
const FACTS = [
  (place: string, index: number) => [
    `The ${place} opens at ${6 + index}:15 every morning.`,
    `When does the ${place} open?`,
  ],
  (place: string, index: number) => [
    `${PEOPLE[index]} is responsible for the ${place}.`,
    `Who is responsible for the ${place}?`,
  ],
  (place: string, index: number) => [
    `The annual inspection of the ${place} takes place in week ${10 + index}.`,
    `In which week does the annual inspection of the ${place} take place?`,
  ],
  (place: string, index: number) => [
    `A spare key of the ${place} hangs in cabinet ${index + 3}B.`,
    `Where does the spare key of the ${place} hang?`,
  ],
  (place: string, index: number) => [
    `Visitors of the ${place} pay ${index + 4} euros.`,
    `How much do visitors of the ${place} pay?`,
  ],
] as const
/** The same questions in other words. */
const REWORDED = [
  (place: string) => `Hi all, do you know at what time the ${place} opens in the morning?`,
  (place: string) => `The ${place} needs a decision. Who is responsible there?`,
  (place: string) => `When is the inspection of the ${place}, which week was it?`,
  (place: string) => `I’m locked out of the ${place} – where is the spare key?`,
  (place: string) => `what do visitors pay at the ${place}?`,
] as const
/** Questions of people to people: nothing in the files answers them. */
const ELSEWHERE = [
  (place: string) => `Has anybody seen my umbrella near the ${place}?`,
  () => 'Who is up for pizza tonight?',
  (_: string, index: number) => `Can you cover my shift on the ${index + 3}th?`,
  () => 'How was your holiday in Norway?',
  (place: string) => `What colour was the ${place} painted in 1950?`,
  () => 'Did the printer run out of toner again?',
  (_: string, index: number) => `Shall we meet at ${index + 8} o’clock instead?`,
  (place: string) => `Which architect designed the ${place}?`,
  () => 'Is anyone else’s laptop this slow today?',
  () => 'What is the wifi password of the guest network?',
] as const
const CHATTER = [
  'Good morning all',
  'Thanks, that helps a lot!',
  'I am on my way.',
  'The coffee machine works again 🎉',
  'lol',
  'Will do after lunch.',
  'Great work yesterday, everybody.',
  'I moved the meeting to Thursday',
  'Back in ten minutes',
  'We talked about the crane, all good now.',
  'ok',
  'See you tomorrow!',
  'The ferry was late again, as always',
  'Please do not forget the time sheets.',
  'Haha, exactly',
] as const

/** Facts of the files on each place, and their questions. */
const facts = PLACES.map((place, index) => FACTS.map((fact) => fact(place, index)))

/** A file of each place. */
export const AUTO_FILES = facts.map((all, index) => ({
  name: `place-${index}.md`,
  text: `# The ${PLACES[index]}\n\n${all.map(([said]) => said).join('\n\n')}\n`,
}))

export interface ScriptLine {
  readonly text: string
  readonly isAnswerable: boolean
}

/** Of ten messages two are answered by the files, three ask for something else, five are chatter; 500 in all. */
export function autoAnswerScript(length = 500): readonly ScriptLine[] {
  const answerable = facts.flat().map(([, question = '']) => ({ text: question, isAnswerable: true }))
  const reworded = PLACES.flatMap((place) => REWORDED.map((ask) => ({ text: ask(place), isAnswerable: true })))
  const others = PLACES.flatMap((place, index) =>
    ELSEWHERE.map((ask) => ({ text: ask(place, index), isAnswerable: false })),
  )
  return Array.from({ length }, (_, index) => {
    const turn = Math.floor((index * (500 / length)) / 10)
    const other = { text: CHATTER[index % CHATTER.length] ?? '', isAnswerable: false }
    if (index % 10 === 3) return answerable[turn] ?? other
    if (index % 10 === 8) return reworded[turn] ?? other
    if ([1, 5, 6].includes(index % 10)) return others[(turn * 3 + (index % 10)) % others.length] ?? other
    return other
  })
}

interface Outcome extends ScriptLine {
  readonly isAnswered: boolean
}

/** Shares of the answerable questions that were answered, and of the rest that met silence; told on stdout. */
export function autoAnswerShares(title: string, outcomes: readonly Outcome[]) {
  const [due, rest] = [outcomes.filter((one) => one.isAnswerable), outcomes.filter((one) => !one.isAnswerable)]
  const missed = due.filter(({ isAnswered }) => !isAnswered)
  const spoke = rest.filter(({ isAnswered }) => isAnswered)
  const [hit, silent] = [1 - missed.length / due.length, 1 - spoke.length / rest.length]
  const lines = [
    `${title}: ${due.length} answerable, answered ${(hit * 100).toFixed(1)} %; ${rest.length} others, silent on ${(silent * 100).toFixed(1)} %`,
    ...missed.map(({ text }) => `missed: ${text}`),
    ...new Set(spoke.map(({ text }) => `spoke: ${text}`)),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return { hit, silent }
}
