import type { Rule } from '#test/scenarios/reader.ts'

export const HANDBOOK = `# Harbour handbook

The ferry to the island leaves at 9:40 from pier seven.

| ship | leaves | pier |
| --- | --- | --- |
| ferry | 9:40 | 7 |
| mail boat | 11:15 | 2 |
`

export const SECOND_HANDBOOK = HANDBOOK.replace('11:15', '11:30')

const DEPARTURES = `| day | ferry | mail boat | night boat | pier |
| :--- | ---: | ---: | ---: | :---: |
| Monday | – | 11:15 | – | 2 |
| Tuesday | 9:40 | 11:15 | – | 7 |
| Wednesday | 9:40 | 11:15 | – | 7 |
| Thursday | 9:40 | 11:15 | 22:05 | 7 |
| Friday | 9:40 | 11:15 | 22:05 | 7 |
| Saturday | 8:20 | – | 22:05 | 4 |
| Sunday | 8:20 | – | – | 4 |`

export const TIMETABLE = `# Departures of the week

${DEPARTURES}

Bicycles travel free of charge on the ferry, and on the mail boat when there is room.
`

const NOTES = [
  [
    'Tickets',
    'are sold at the harbour office until a quarter of an hour before each departure. Whoever comes later pays on board, in coins.',
  ],
  [
    'Bicycles',
    'travel free of charge on the ferry. The mail boat takes them when there is room, which is seldom so on Fridays.',
  ],
  ['Dogs', 'are welcome on all boats. On the night boat they stay below deck, and their owners with them.'],
  [
    'Fog',
    'delays the ferry by up to an hour. The lamp at the pier is red while nobody knows when it sails, and green as soon as somebody does.',
  ],
  [
    'Freight',
    'goes by the mail boat. What is heavier than twenty kilograms is brought to pier two on the evening before.',
  ],
  [
    'Storm',
    'stops the night boat first. The ferry sails up to force seven, the mail boat up to force eight, since letters do not get seasick.',
  ],
  ['Groups', 'of more than ten people are announced two days before, so that the second deck is opened for them.'],
  [
    'Children',
    'under six travel with somebody who pays. Older ones pay half, and may steer on the way back if the captain is in a good mood.',
  ],
  ['Lost things', 'lie in the red box beside pier seven for four weeks, and then belong to the harbour crew.'],
  ['Night boats', 'come back at five. Whoever sleeps on board is woken with tea, or with the horn.'],
] as const

const LONG = [
  'These are the departures of the week [RREF1]:',
  DEPARTURES,
  'What to bear in mind:',
  NOTES.map(([head, words]) => `- **${head}** ${words}`).join('\n'),
  'Whatever the table says, the board at the harbour office is right: it is written by hand every morning at six, after the first call to the island. [RREF1]',
].join('\n\n')

const SPRING =
  'In spring three boats sail. The ferry begins on the first of April, at 9:40 from pier seven. The mail boat sails in March already, but not on Sundays [RREF1]. The night boat waits for May. Before that, the lighthouse keeper rows.'

export const RULES: readonly Rule[] = [
  [/Which boats sail/, SPRING, 500],
  [/^Translate|Die Lampe am Kai/, 'The lamp on the quay is lit from eight o’clock.'],
  [/all departures of the week/, LONG],
]
