import { describe, expect, it } from 'vitest'
import { carryOver, isClosing, isSmallTalk } from '#lexicon/follow-up.ts'

it('thanks and greetings are small talk, questions are not', () => {
  for (const text of [
    'thanks!',
    'Danke dir',
    'Hello there',
    'guten Morgen',
    'ok 👍',
    'ok, danke dir',
    'Great, thanks',
  ]) {
    expect(isSmallTalk(text)).toBe(true)
  }
  for (const text of ['thanks, and when does it leave?', 'Hello World program?', 'ok is what?']) {
    expect(isSmallTalk(text)).toBe(false)
  }
})

describe('thanks and goodbyes', () => {
  it.each([
    'Thanks, see you',
    'thank you so much!',
    'Great, thanks a lot. Bye!',
    'ok thx',
    'Thanks for your help 🙏',
    'No thanks, that’s all.',
    'Perfect, that helps. Have a nice weekend, everyone!',
    'thanks and see you tomorrow',
    'cheers :)',
    'Thanks Footbridge',
    'Danke dir, bis morgen!',
    'Super, vielen Dank für die Hilfe. Schönen Feierabend noch',
    'alles klar, danke euch!\nTschüss',
    'Nein danke, das war’s',
    'Merci beaucoup, à bientôt !',
    '¡Muchas gracias! Hasta luego',
    'Perfetto, grazie mille. A presto',
    'Muito obrigado, até logo',
    '🙏',
    'thanks :pray:',
  ])('are a closing: %s', (text) => {
    expect(isClosing(text)).toBe(true)
    expect(isSmallTalk(text)).toBe(true)
  })

  it.each([
    '',
    'ok',
    'yes',
    'no',
    'Great!',
    '👍',
    'Thanks?',
    'thanks, and when does it leave?',
    'Thanks. Which pier is it',
    'thanks, tell me more',
    'Danke, und in Polen?',
    'See you at pier seven on Monday, which ferry',
    'Thank you letter template',
    'bye laws',
    'Thanksgiving',
    'Have a nice day off policy',
    'danke für die Blumen, wer hat sie bestellt',
    'the rest',
  ])('are none where anything else is said: %s', (text) => {
    expect(isClosing(text)).toBe(false)
  })
})

describe('words of earlier questions', () => {
  const LAPTOP = 'I lost my laptop, what do I do?'
  it.each([
    [LAPTOP, ['Can I work from Spain for a month?']],
    ['Can I work from Spain for a month?', [LAPTOP]],
    ['Is there home office?', [LAPTOP]],
    ['core hours?', [LAPTOP]],
    ['Gibt es Betriebsferien?', [LAPTOP]],
    ['Thanks!', [LAPTOP]],
    ['And in Poland?', ['Hello!', 'thanks']],
    ['Why?', []],
  ])('are not added to a question that stands for itself: %s', (question, before) => {
    expect(carryOver(question, before)).toBeUndefined()
  })

  const LEAVE = 'How many days of leave are there in Germany?'
  it.each([
    ['And in Poland?', [LEAVE], 'And in Poland? days leave germany'],
    ['and in Poland?', [LEAVE, 'Thanks!'], 'and in Poland? days leave germany'],
    ['in Poland?', [LAPTOP, LEAVE], 'in Poland? days leave germany'],
    ['Why?', [LEAVE], 'Why? days leave germany'],
    ['When do they expire?', [LEAVE], 'When do they expire? days leave germany'],
    ['And the most expensive one?', ['What is the cheapest coffee?'], 'And the most expensive one? coffee'],
    ['Und das teuerste?', ['Was ist das günstigste Produkt?'], 'Und das teuerste? produkt'],
    ['Und die längste?', ['Welche Reise ist die kürzeste?'], 'Und die längste? reise'],
    ['Und die letzte?', ['Welche Reise ist die früheste?'], 'Und die letzte? reise'],
    ['And the cheapest one?', ['Which trip is the last one?'], 'And the cheapest one? trip'],
    ['Und der jüngste?', ['Wer ist der älteste Kollege?'], 'Und der jüngste? kollege'],
    ['And the cheapest?', ['Most expensive hotel in Budapest?'], 'And the cheapest? hotel budapest'],
    ['And the highest?', ['What is the lowest interest?'], 'And the highest? interest'],
    ['And the lowest?', ['What did the last week cost?'], 'And the lowest? last week cost'],
    ['Und in Polen?', ['Wie viele Urlaubstage gibt es?'], 'Und in Polen? urlaubstage'],
    [
      'and its lead time?',
      ['What does the Seabird 150N cost?', 'and the 275N?'],
      'and its lead time? 275n seabird 150n cost',
    ],
  ])('are added to what can’t: %s', (question, before, whole) => {
    expect(carryOver(question, before)).toBe(whole)
  })
})
