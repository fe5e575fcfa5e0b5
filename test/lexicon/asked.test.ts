import { describe, expect, it } from 'vitest'
import { questionsIn, withoutCourtesies } from '#lexicon/asked.ts'
import { cpuMs } from '../support/growth.ts'

describe('the question of a message', () => {
  it.each([
    ['Hi! How long is the warranty? Thanks!', 'How long is the warranty?'],
    ['hey how long is the warranty', 'how long is the warranty'],
    ['Hi all, quick one, sorry if this was asked before: how long is it? Thanks a lot!', 'how long is it?'],
    ['Does anyone know when the shop opens?', 'when the shop opens?'],
    ['Hello Ms Rowe, could you please tell me who signs the lease? Kind regards', 'who signs the lease?'],
    ['Hallo zusammen, kurze Frage: Wie lange gilt der Ausweis? Vielen Dank!', 'Wie lange gilt der Ausweis?'],
    ['Guten Morgen! Weiß jemand, wann der Laden öffnet?', 'wann der Laden öffnet?'],
    ['Hola a todos, una pregunta rápida: ¿Cuánto cuesta? ¡Muchas gracias!', 'Cuánto cuesta?'],
    ['Many thanks in advance! How long is it?', 'How long is it?'],
    ['Wie lange gilt er? Vielen lieben Dank im Voraus!', 'Wie lange gilt er?'],
    ['Herkese merhaba, kısa bir sorum var: Kaç gün? Çok teşekkürler!', 'Kaç gün?'],
    ['Bună tuturor, o întrebare scurtă: Cât costă? Mulțumesc mult!', 'Cât costă?'],
    ['Chào mọi người, cho mình hỏi nhanh: Bao nhiêu ngày? Cảm ơn nhiều!', 'Bao nhiêu ngày?'],
  ])('is found among greetings, apologies and thanks: %s', (message, question) => {
    expect(withoutCourtesies(message)).toBe(question)
  })

  it.each([
    'How long is the warranty?',
    'What does the thank you note say?',
    'Is hello world a program?',
    'And in Hamburg?',
    'I am a part-timer: how many days do I get?',
    'Thanks!',
    'Hi',
    'Sorry if this was asked before.',
  ])('is the message where nothing else is said: %s', (message) => {
    expect(withoutCourtesies(message)).toBe(message)
  })

  it.each([
    'Sorry policy: what is it?',
    'Sorry policy – what is it?',
    'Sorry form, where is it?',
    'Apologies template, where is it?',
    'Entschuldigung Schule, wer unterschreibt sie?',
    'Pardon Magazin – was kostet es?',
    'Disculpa formulario, ¿dónde está?',
    'Excuse note: who must sign it?',
    'Schöne Aussicht: was kostet ein Zimmer?',
    'Beste Kunden: wer hat am meisten bezahlt?',
    'Dag Hammarskjöld: who was he?',
    'Guten Tag Tarif: was kostet er?',
    'Good morning checklist: what is the first step?',
    'Merci Card: what is the discount?',
    'Thanksgiving: when is it?',
    'Table 3, which row is it?',
    'Can I rent a flat if I smoke, have a dog?',
    'Was sind die Kosten, schöne Räume?',
    'Which of these is better, worse, best?',
  ])('keeps its subject: %s', (message) => {
    expect(withoutCourtesies(message)).toBe(message)
  })

  it.each([
    ['Hi all: what is it?', 'what is it?'],
    ['Hi Bob. What is it, please?', 'What is it, please?'],
    ['Hi Dr. Rowe, what is it?', 'what is it?'],
    ['Was kostet es? Schönen Abend noch!', 'Was kostet es?'],
    ['What is it? Have a great weekend everyone', 'What is it?'],
    ['Entschuldigt die Störung, was kostet es?', 'was kostet es?'],
    ['Sorry for the noise – what is it?', 'what is it?'],
    ['Perdón por molestar, ¿cuánto cuesta?', 'cuánto cuesta?'],
    ['Sorry, falls das schon gefragt wurde: Was kostet es?', 'Was kostet es?'],
  ])('goes without the greeting alone: %s', (message, question) => {
    expect(withoutCourtesies(message)).toBe(question)
  })

  const PIECES = [
    '.',
    '_',
    '-',
    ',',
    'a',
    ' ',
    '\n',
    '?',
    "'",
    '@',
    '! ',
    '.a',
    ', a',
    'a b ',
    '. _',
    ',-.\n',
    'hi sorry ',
  ]
  const MORE = [
    'sorry if ',
    'thanks, ',
    '\u{1F64F}',
    'one quick ',
    '\u00bf ',
    'hi -',
    'so sorry ',
    'can i ask ',
    'have a ',
  ]
  const PLACES: readonly (readonly [string, string])[] = [
    ['', ''],
    ['', ' 12'],
    ['What does chapter 3 say?\n3.1 Introduction ', ' 12'],
    ['What is it? Thanks ', ''],
    ['Sorry', ': what is it?'],
    ['What is it, thanks', '. Bye'],
    ['Hi ', ', what is it?'],
  ]
  it.each(PLACES)('takes linear time between "%s" and "%s"', (before, after) => {
    const timeOf = (piece: string, length: number) => {
      const part = piece.repeat(Math.max(1, Math.floor((length - before.length - after.length) / piece.length)))
      const text = `${before}${part}${after}`
      return cpuMs(() => [withoutCourtesies(text), questionsIn(text)])
    }
    const slow = [...PIECES, ...MORE].filter((piece) => {
      // A cube of 2,000 would never end.
      const short = timeOf(piece, 120)
      if (short > 100) return true
      const [small, large] = [timeOf(piece, 500), timeOf(piece, 2_000)]
      // The clock of a thread ticks every few milliseconds.
      return large > 8 * small + 20 || large > 100
    })
    expect(slow).toEqual([])
  })
})

describe('the questions of a message', () => {
  it('are asked each where they are several', () => {
    expect(questionsIn('Hi! What does a ticket cost? And when does the ferry leave? Thanks!')).toEqual([
      'What does a ticket cost?',
      'And when does the ferry leave?',
    ])
  })

  it.each([
    ['How much is the allowance, and who is the vet?', ['How much is the allowance?', 'who is the vet?']],
    ['Was kostet der Ausweis, und wer stellt ihn aus?', ['Was kostet der Ausweis?', 'wer stellt ihn aus?']],
    ['What is the fee, and what do we pay if it is late?', ['What is the fee?', 'what do we pay if it is late?']],
    ['What is the difference between what we pay, and what they pay?', []],
    ['How many pupils are in class 3a, and how many in class 3b?', []],
    ['Which hotel is cheaper, and which is nearer to the station?', []],
    ['What is the fee and who is the vet?', ['What is the fee?', 'who is the vet?']],
    ['Wie hoch ist die Miete und wer ist der Hausmeister?', ['Wie hoch ist die Miete?', 'wer ist der Hausmeister?']],
    ['Who knows how much it is and who pays?', []],
    ['How long does it take and how much is the crossing?', []],
    ['Which room is free and how many in June?', []],
    ['When and where is the dinner?', []],
    [
      'Two things: what’s the fee and when does it have to be paid? Cheers',
      ['what’s the fee?', 'when does it have to be paid?'],
    ],
    [
      'Morning! Two things: what is the total of the invoice and when does it have to be paid?',
      ['what is the total of the invoice?', 'when does it have to be paid?'],
    ],
    [
      'how much is a day ticket and how much is a family one',
      ['how much is a day ticket?', 'how much is a family one?'],
    ],
    [
      'Which roofer did Ada choose and on what day do they start?',
      ['Which roofer did Ada choose?', 'on what day do they start?'],
    ],
    [
      'Wann ist die Inventur und um wie viel Uhr geht es los',
      ['Wann ist die Inventur?', 'um wie viel Uhr geht es los?'],
    ],
    ['Morning briefing: what is it?', []],
    ['Do you know who is there, and when they leave?', []],
    ['Who knows when and where the meeting is?', []],
  ])('are divided within a sentence: %s', (message, questions) => {
    expect(questionsIn(message)).toEqual(questions)
  })

  it('are one without the sentences around it', () => {
    expect(questionsIn('I lost my key on Monday. Who gives me a new one?')).toEqual(['Who gives me a new one?'])
  })

  it('are each where one points to what another one names', () => {
    const questions = ['Who is the harbour master?', 'What is his phone number?']
    expect(questionsIn(questions.join(' '))).toEqual(questions)
    expect(
      questionsIn('Hi, I have two questions. What does a ticket cost? Thanks. When does the ferry leave?'),
    ).toEqual(['What does a ticket cost?', 'When does the ferry leave?'])
  })

  it('are none where one points to more than its own words, or a statement is about all of them', () => {
    expect(questionsIn('Who is the harbour master? Where does he keep the office key in winter?')).toEqual([])
    expect(questionsIn('I work at the Bonn office. Who is the fire warden? Where is the assembly point?')).toEqual([])
  })

  it('are none where there is one sentence, or one needs what was said before it', () => {
    expect(questionsIn('What does a ticket cost?')).toEqual([])
    expect(questionsIn('I have been here for four years. How many days?  Why?')).toEqual([])
  })
})
