import type { Lexicon } from './lexicon.ts'

export const es: Lexicon = {
  code: 'es',
  tells: {
    long: 'el los las del una por para que con como más pero está son sus también muy entre hasta desde',
    letters: 'ñ',
  },
  talk: {
    greetings: 'gracias, hola',
    thankful: 'gracias',
    farewells: `[muchas |mil ]gracias[ a todos| por (la|tu|su) ayuda]*, adi(o|ó)s, hasta (luego|pronto|mañana), nos vemos,
      buenas noches`,
    withFarewells: 'perfecto, vale, entendido',
    and: 'y',
    pointing: 'él ella ellos ellas eso esto ese esa aquello allí',
    empty: 'y o pero el los las una por qué cuándo cómo dónde quién también',
    goingOn: 'y, pero',
  },
  requests: {
    hello: 'hola',
    courtesies: `
      (hola|buen~ (días|tardes|noches)|querid~|estimad~)[ {whom}]
      [tengo ](una|un)[ pequeña| simple]* (pregunta|duda|consulta)[ rápida| corta| sencilla| {whom}]
      (puedo|podría) (preguntar|hacer)[ {rest}]
      (perdón|perdonad|perdonen|disculpad|disculpen|disculpa|lo siento|siento)[ (si|por|que|la molestia|las molestias|molestar) {clause}| la[s] molestia[s]| molestar], espero{clause}, si ya{clause}
      [muchas |mil ]gracias[ {rest}], [un |muchos ]*saludo[s][ {rest}], de antemano, por favor, urgente`,
    openings: `(alguien|alguno) (sabe|me puede decir), (sabe|sabes|sabéis|saben)[ alguien| usted| ustedes],
      (puede|puedes|podría|podrías|podéis|me puede~)[ alguien]* decirme, quisiera saber, quería (saber|preguntar), me gustaría saber`,
  },
  models: {
    refusals:
      '(archivo[s]|pasaje[s]|documento[s]|fragmento[s]|fichero[s]) no (contien|respond|menciona|indica|dice|incluye)~',
    refusalStarts: 'el los las en ningún ninguno ninguna lo este esta estos nada lamentablemente según',
    sayingNo: 'ning(u|ú)n~, nada, siento, lamentablemente',
  },
  documents: { abbreviations: 'Sr Sra Dra' },
  search: { stopWords: 'qué quién quiénes' },
}
