import { deSynonyms } from './de-synonyms.ts'
import { deTables } from './de-tables.ts'
import type { Lexicon } from './lexicon.ts'

const DATEIEN = '(dateien|dokumente|unterlagen|quellen)'
const HIER =
  '[ (gibt|es|hast|kennst|du|haben|wir|liegen|liegt|sind|ist|hier|da|vor|vorhanden|hochgeladen|abgelegt|alle|alles|denn|in|diesem|kanal)]*'
const STELLEN = '(dateien|passage[n]|textstelle[n]|dokument[e][n]|sammlung|kontext)'
const NICHTS = '(nicht|nichts|kein~)'

export const de: Lexicon = {
  code: 'de',
  decimals: 'comma',
  nouns: 'capital',
  tells: {
    long: 'und der die das ist nicht ein eine mit für auf dem den von zu wird werden auch sich oder',
    short: `der das dem den ein eine einen einem einer eines ist sind waren wird werden wurde wurden und oder aber nicht kein
      keine keinen wie wann welche welcher welches welchen welchem warum wieso weshalb wo wer wen wem wessen woher wohin wieviel
      ich er wir ihr mir dir mich dich uns unser unsere unserem unseren mein meine meinen dein deine für von vom zum zur bei beim
      auf aus im über unter nach seit vor zwischen ohne gegen durch gibt kann kannst können darf dürfen muss müssen soll sollen
      hat haben habe hast bist macht machen steht stehen kostet liegt bitte hallo danke hier alle zusammen dateien viel viele
      noch auch schon nur bis wenn dass sich`,
    shortPhrases: 'wo[r](ab|an|auf|aus|bei|durch|für|gegen|in|mit|nach|über|um|unter|von|vor|zu)',
    shared: 'die des du um mit es',
    first: 'was die',
    letters: 'ß',
  },
  talk: {
    greetings:
      'hallo, hi zusammen, moin, servus, danke[ schön| dir| sehr], vielen dank, guten (morgen|tag|abend), tschüss',
    praise: 'super, prima, alles klar',
    thanks: 'danke[ schön| dir| sehr]',
    thankful: 'dank',
    everybody: 'zusammen du',
    farewells: `
      [nein |vielen |besten |herzlichen |tausend |schönen |lieben |ok ]dank[e][ dir| euch| ihnen| schön| sehr| vielmals| nochmal[s]| allen]*[ für (die|deine|eure|ihre) [schnelle ](hilfe|antwort|auskunft|info[s])]
      tschüs[s], tschau, ciao, bis (dann|bald|später|morgen|nachher|gleich), auf wiedersehen, gute nacht
      mach([']s|t[']s| es) gut
      [dir |euch |ihnen |noch ]*[einen ]schön(en|es) (tag|abend|feierabend|wochenende)[ noch| dir| euch| ihnen| allen]*`,
    withFarewells: `super, prima, toll, perfekt, wunderbar, alles klar, passt, sehr gut, verstanden, nein, ja, das war[']s,
      das ist alles, das hilft[ mir][ sehr| weiter]*, [das ]hat [mir ][sehr ]geholfen, zusammen, dann`,
    and: 'und',
    pointing: `er ihn ihm sein seine seiner sie ihr ihre ihrer ihnen es dies diese dieser dieses diesem diesen jener jene dort da
      dann dafür dazu davon dabei damit daran darauf darin darüber deren dessen denen`,
    empty: `und oder aber der die das den dem des ein eine einen einem einer ist sind war waren wird werden hat haben kann können
      soll sollen muss müssen nicht kein keine ja nein was welche welcher welches wer wen wem wann wo warum wieso wie auch noch
      mehr bitte ich du wir mir mich uns im am an auf zu zum zur mit von vom für bei denn wirklich viel viele lange oft gibt`,
    exists: '(gibt|geht|fängt|wird|ist|klappt) es, es (gibt|geht)',
    goingOn: 'und, oder, aber, was ist mit, wie ist es mit',
    prepositions: 'im für bei beim mit ab am während',
    least: `(niedrigst|kleinst|wenigst|geringst|billigst|günstigst|kürzest|frühest|ältest|leichtest|tiefst|langsamst)e[n|m|r|s],
      minimale[n|m|r|s]`,
    most: `(höchst|größt|grösst|meist|teuerst|längst|neust|neuest|jüngst|spätest|schwerst|schnellst)e[n|m|r|s],
      maximal[e|en|em|er|es]`,
    leastAtEnd: 'zuerst, [als ]erste[n|m|r|s]',
    mostAtEnd: 'zuletzt, [als ]letzte[n|m|r|s]',
  },
  requests: {
    before: 'hallo bitte und also',
    please: 'bitte',
    canYou: '(kannst|könntest|würdest) du[ mir][ bitte]',
    giveMe: 'gib mir, ich (brauche|möchte|hätte gern)',
    after: 'bitte, für mich, hier, kurz',
    hello: 'hallo hi hey moin servus',
    courtesies: `
      (hallo|hi|hey|moin|servus|guten (morgen|tag|abend)|grüß (dich|euch|gott)|liebe[r]|sehr geehrte[r])[ {whom}]
      [nur |noch |mal |ganz ]*[eine |ne ]*[kurze |schnelle |kleine |blöde |dumme ]*(frage|nachfrage)[ {whom}]
      ich (habe|hab|hätte)[ da| mal| noch| nur| kurz]* [eine |ne |zwei |drei |ein paar ]*[kurze |kleine ]*frage[n][ {whom}]
      (darf|kann|dürfte|könnte) ich[ euch| dich| sie| mal| kurz| schnell| etwas| was]* fragen
      (sorry|entschuldigung|entschuldigt|entschuldige|verzeihung|verzeiht|tut mir leid)[ (falls|wenn|dass|für|wegen|die störung) {clause}| nochmal[s]| die störung]
      (falls|wenn) (das|die frage|dies)[ schon| hier| bereits| mal| einmal]* (gefragt|beantwortet|gestellt){clause}
      ich hoffe{clause}, wir hoffen{clause}
      [vielen |besten |herzlichen |lieben |tausend |schon mal |schonmal ]*(dank|danke|dankeschön|merci)[ {rest}]
      [viele |liebe |beste |schöne |mit freundlichen ]*grüße{rest}, lg, vg, mfg, [einen |noch ]*schöne[n|s] (tag|grüße|woche|wochenende|abend|feierabend)[ {rest}]
      hilfe bitte, bitte (um hilfe|helfen), dringend`,
    openings: `
      (weiß|wisst|wissen|weißt)[ jemand| ihr| sie| du| einer| hier| von euch| zufällig| vielleicht]*
      (kann|könnt|können|kannst|könntest|könntet|könnte)[ mir| uns| jemand| ihr| sie| du| bitte| mal| kurz| einer| von euch]* sagen
      ich (wollte|möchte|würde|muss)[ gerne| gern| mal| nur| kurz]* (wissen|fragen), meine frage ist, die frage ist, [sag|sagt|sagen sie] mir[ bitte]`,
    questionStarts: `wer, wen, wem, was, wann, wo, woher, wohin, warum, wieso, weshalb, wie, welche[r|s|n|m], kann, können, kannst,
      ist, sind, war, hat, haben, gibt, soll, bitte, sag, zeig, erklär`,
    beforeQuestions: 'und oder aber',
    nounQuestions: 'welche[r|s|n|m], wessen, wie[ ]viel[e]',
    withNoun: 'wie[ ]viel (ist|kostet|kosten|waren|war) (ein|eine|der|die|das|unser|unsere)',
    directQuestions: `(bis zu|um|bis|ab|seit|von|an|am|in|zu|mit|für|auf) (wie[ ]viel[en]|wann|wem|wen|welche[r|s|n|m]), wer, wen, wem, wessen, welche[r|s|n|m], wie[ ](viel[e]|lange|oft|alt|hoch|groß), (was|wann|wo|woher|wohin|warum|wie) (ist|sind|war|waren|kostet|kosten|kann|können|muss|müssen|darf|dürfen|soll|gibt|gilt|gelten|hat|haben|macht|beginnt|findet)`,
    common: `wann, welche[r|s|n|m], warum, wieso, haben, kann, können, eine[r|n|m|s], nicht, jemand, weiß, bitte, sind, wird,
      werden, auch, über, oder, aber`,
    attributes: '(wie|was) (ist|lautet|hoch ist|heißt|sind|lauten) (der|die|das) {thing} (von|der|des)',
    why: 'warum, wieso, weshalb, aus welchem grund',
    whoSigned: 'wer hat {rest} (unterschrieben|unterzeichnet|geschrieben|geschickt), von wem (ist|kommt|stammt)',
    because:
      'weil, da, denn, wegen, aufgrund, grund~, gründ~, ursache~, deshalb, daher, damit, deswegen, nicht genug, zu (wenig~|viel~|alt|teuer|spät)',
    howLong: 'wie lang[e]',
    lengths:
      'sekunde[n], minute[n], stunde[n], ein[en] tag, tage[n], nächte[n], woche[n], monat[e|en], jahr[e|en], jahrzehnt~',
    howMany: 'wie[ ](viel[e][n]|lang[e]|hoch|groß|oft|spät|teuer|weit|alt)',
    who: 'wer, wen, wem, wessen',
    people: `(leiter|leitung|beauftragte|anwalt|gericht|richter|minister|gruppe|verwaltung|abteilung|büro|team|vorstand|ausschuss|behörde|polizei|firma|gesellschaft|mitarbeiter|kunde|mieter|vermieter|eigentümer|fahrer|mitglied|lehrer|arzt|techniker|meister|person|regierung|könig|präsident)~,
      ~(leiter|leitung|leiterin|führer|beauftragte[r|n]|verwaltung|abteilung|büro|mitarbeiter[in]), leute, menschen, alle, jeder, niemand, du, sie`,
    pronouns: 'er, sie, ihr[e], sein[e]',
    when: 'wann, (um )wie viel uhr, welche[s|r|m|n] (datum|tag|monat|jahr|uhrzeit|woche|jahrhundert)',
    timeWords: `(tag|woche|monat|jahr|nacht|morgen|abend|mittag|stunde|minute|frühling|sommer|herbst|winter|jahrzehnt|jahrhundert)~,
      heute, gestern, jetzt, sofort, immer, täglich, wöchentlich, monatlich, jährlich, vor, nach, bis, während, seit, sobald, wenn, als, anfang, mitte, ende, nie, ostern, weihnachten, uhr`,
    where: 'wo, wohin, woher, von wo',
    beforePlaces:
      'in im ins am an auf bei beim neben hinter vor unter über gegenüber zwischen aus vom von zum zur nach',
    amounts: `was kostet[e], was kosten, (wie|was) (ist|lautet|sind|war|waren)[ der| die| das| unsere|]( {word}|) (preis|gebühr|miete|kaution|summe|betrag|gehalt|lohn|budget|rabatt|prämie|grenze|temperatur)~`,
    numberWords: `halb~, drittel, viertel, hälfte, dutzend, (sech|sieb|acht|neun)zehn, zwanzig, dreißig, vierzig, fünfzig, sechzig, siebzig, achtzig, neunzig, ~hundert~, ~tausend~, million~, milliarde~,
      kostenlos~, frei, nichts, unbegrenzt, doppelt, zweimal, einmal, mehrere[n|r], wenige[n|r], viele[n|r], keine[n|r|s], beide[n|r], bis, zwei~, drei~, ~fache[n|s], riesig~`,
    oftenWords:
      'häufig, täglich, wöchentlich, monatlich, jährlich, jede[n|r|s], alle, immer, meist~, oft, regelmäßig~, selten, nie',
    sums: '(~preis|~gebühr|~miete|~kaution|~gehalt|~lohn|~prämie|~beitrag|~kosten)~, kostet, kosten',
    currencies: 'euro, cent, pfund, dollar, franken, eur, gbp, usd, chf',
    things:
      '(wie|was|welche|wie (hoch|lang|groß)) (ist|lautet|sind|war|waren) (der|die|das|unser[e]|eu[e]r[e]) {thing}',
    codes: `(wie|was|welche) (ist|lautet|sind)[ der| die| das| unsere|]( {word}|) (~nummer|~code|durchwahl|~telefon~|e-mail~|mailadresse|pin)`,
    help: `
      hilfe, hilf mir
      was kannst du[ alles| denn| so| eigentlich]*[ tun| machen]
      was (kann|darf) ich [dich |hier |dich hier ][alles ](fragen|tun|machen)
      wie (funktionierst du|funktioniert (das|dies)|kannst du [mir |uns ]helfen|benutze ich dich|nutze ich dich)
      (wobei|womit|wie) kannst du [mir |uns ]helfen
      (wer|was) bist du, was machst du, wozu bist du (da|gut)
      welche befehle[ gibt es| kennst du], befehle`,
    list: `
      (zeig[e]|liste|nenn[e])[ mir][ bitte][ alle][ die| deine| meine| unsere][ ]${DATEIEN}${HIER}[ auf]
      (welche|was für|wie viele) ${DATEIEN}${HIER}
      (alle|meine|unsere) ${DATEIEN}, datei[en]liste, liste (aller|der) ${DATEIEN}
      was (hast du[ alles| hier]*|liegt hier[ alles]|ist hier[ alles]|weißt du)`,
    contents: `
      was (steht|ist|gibt es|findet sich|liegt)[ alles] (in|im) {file}
      was (enthält|beinhaltet|sagt) {file}
      [zeig[e] [mir ]][den |die ](inhalt[sverzeichnis]|gliederung|überschriften|kapitel) (von|der|des|in) {file}
      welche (blätter|tabellenblätter|kapitel|abschnitte|überschriften|spalten|folien) (hat|enthält|sind in|gibt es in) {file}`,
    summary: `
      fass[e|t] [mir ][bitte ][mal ][kurz ]{file} [mal ][kurz |bitte ]*zusammen
      {file} [kurz ]zusammen(fassen|gefasst)
      [eine |die ][kurze ]zusammenfassung (von|der|des|über|zu|zur|zum) {file}
      [einen |den ][kurzen ]überblick (über|zu|zur|zum|von) {file}
      worum (geht['s|s| es]|dreht es sich) (in|im|bei) {file}`,
    dropper: `
      wer hat {file} [hier ](hochgeladen|abgelegt|geteilt|eingestellt|reingestellt|hinzugefügt|gepostet|geschickt|gebracht)
      von wem (ist|kommt|stammt|wurde) {file}[ hochgeladen| abgelegt]
      wann wurde {file} [hier ](hochgeladen|abgelegt|geteilt|aktualisiert|geändert)`,
    pages: `
      wie viele (seiten|folien|blätter|tabellenblätter) (hat|umfasst|enthält|sind in|gibt es in) {file}
      [was ist ][die ](seitenzahl|seitenanzahl|anzahl der seiten) (von|der|des) {file}`,
    page: `
      was (steht|ist|gibt es) auf [der ](seite|folie) {page}[ (von|in|im|der|des|aus) {file}]
      was (steht|ist) (in|im) {file} auf [der ](seite|folie) {page}
      [(zeig[e]|lies)[ mir] ](seite|folie) {page} (von|in|im|der|des|aus) {file}
      (zeig[e]|lies)[ mir] (seite|folie) {page}`,
    whichFile: `
      welche[s] (datei[en]|dokument[e]) (handel[t|n] (von|vom)|ist über|sind über|geht über|erwähn[t|en]|beschreib[t|en]|behandel[t|n]|enthält|enthalten|sag[t|en] etwas (über|zu)) {topic}
      (gibt es|haben wir|hast du) [hier ](etwas|was|ein[e] datei|ein dokument|dateien|dokumente) (über|zu[m|r]) {topic}
      wo (steht|finde ich|finden wir|kann ich) (etwas|was|mehr) (über|zu[m|r]) {topic}[ lesen| nachlesen]
      in welche[r|n|m] (datei[en]|dokument[en]) (steht|stehen|geht es um|finde ich|findet man|ist|sind)[ etwas][ (über|zu|von)] {topic}[ (beschrieben|erwähnt|erklärt)]`,
    inFile: `
      was (sagt|sagen|schreibt|meint) {file} (über|zu[m|r]) {topic}
      was steht (in|im|auf) {file} (über|zu[m|r]) {topic}
      was steht (über|zu[m|r]) {topic} (in|im|auf) {file}`,
    whichPage: `
      auf welche[r|n] (seite|folie) (im|in|von|des|der|vom) {file} (finde ich|finden wir|steht|stehen|geht es um)[ etwas| was]*[ über| zu[m|r]] {topic}`,
    remove: '(lösch[e]|entfern[e])[ bitte| mal]* {file}, {file} (löschen|entfernen), (wirf|schmeiß) {file} weg',
    newestFile: `
      [(was|welche[s]) (ist|war) ]{newest}, [zeig[e] ][mir ]{newest}
      welche[s|r] {kind} (ist|war) [am ]{newestWord}
      welche[s|r] {kind} (wurde|kam|haben wir) {newestWord}[ hochgeladen| abgelegt| geteilt| bekommen]`,
    newest: '(neueste|neuste|letzte|jüngste|aktuellste)[n|s|r], zuletzt',
    anyFile: 'datei, dokument',
    news: `
      was (ist|war) [hier ]neu[ hier]
      was (gibt es|gibt's|gibts) [hier ]neues
      (welche|was für) (dateien|dokumente) sind neu
      [die ](neue|neuen|neueste|neuesten) (dateien|dokumente)`,
    newsWithin: 'was (hat sich|wurde) [hier ]{since}[ ](geändert|hochgeladen|abgelegt|hinzugefügt)',
    since: 'seit ab',
    sinceArticles: 'der dem den',
    spans: `[letzte[m|n|r] ]{weekday}, gestern, heute, (diese[r|n]|letzte[r|n]|vergangene[r|n]) (woche|monat),
      letzten {number} tage[n], vor {number} tage[n]`,
    weekdays: 'sonntag montag dienstag mittwoch donnerstag freitag samstag',
    today: 'heute',
    yesterday: 'gestern',
    month: 'monat',
    ofFiles: 'hochgeladen~, abgelegt~, datei~, dokument~',
    lastFile: 'das, dies, diese, die datei, das dokument, diese datei, dieses dokument',
    beforeName: 'der, die, das, dem, den, des, diese[r|s|n|m], unsere[r|s|n|m], datei, dokument',
    afterName: 'datei, dokument, tabelle, präsentation',
  },
  commands: {
    access: 'zugang',
    ask: 'frag',
    askGroup: 'frag gruppe',
    askIn: 'frag in',
    budget: 'kontingent[e]',
    collection: 'sammlung',
    connect: 'verbinde[n]',
    disconnect: 'trenne[n]',
    download: 'herunterladen',
    files: 'dateien',
    forget: 'vergiss',
    gaps: 'lücken, offene fragen',
    help: 'hilfe',
    here: 'hier',
    helpMore: 'hilfe (mehr|alles), mehr hilfe',
    language: 'sprache',
    model: 'modell[e]',
    modelOf: 'modell',
    newConversation: `neues (gespräch|thema), neue (unterhaltung|chat), neuer chat, von vorn[e][ anfangen]`,
    off: 'aus',
    rebuild: 'wieder aufbauen',
    reindex: 'neu indizieren',
    retry: 'wiederhole',
    save: 'behalt[e] (das|diesen thread|den thread)',
    settings: 'einstellungen',
    usage: 'verbrauch',
    usual: 'üblich, standard',
  },
  commandStarts: `dateien, vergiss, herunterladen, wiederhole, hilfe, lücken, offene fragen, kontingent[e], modell[e],
    neu indizieren, wieder aufbauen, behalt[e], neues gespräch, neues thema, neue unterhaltung, von vorn[e], frag (in|gruppe)`,
  models: {
    refusals: `
      ${STELLEN}{far}${NICHTS}{near}~(beantwort|enthalt|enthält|erwähn|finde|steh|hervor|angabe|information|antwort|auskunft)~
      stelle[n]{far}${NICHTS}{near}~(beantwort|enthalt|enthält|erwähn|finde|steh|hervor|angabe|information|antwort|auskunft)~
      ${NICHTS}{near}${STELLEN}
      ~(beantwort|enthalt|enthält|steht|finde)~{far}${STELLEN}{near}(nicht[s]|kein~)
      ${STELLEN}{near}~(beantwort|enthalt|enthält|erwähn)~{near}(nicht[s]|kein~)`,
    refusalStarts: `die der das den dem dies diese dieses im aus es ich wir leider zu dazu darüber hierzu hierüber kein keine keiner
      nichts nicht entschuldigung tut über auf laut dateien dokumente passagen`,
    sayingNo: 'nicht, nichts, kein~, leider, entschuld~',
    musings: `zuerst, ich (muss|soll|sollte), (der|die|das) (user|person|prompt|nutzer|benutzer|frage)`,
    musingsBeforeComma: 'gut also',
    musingStarts: 'gut also zuerst ich der die das',
    musingStartsOfTwo: 'ich der die das',
    beforeMarks: 'siehe, passage[n]',
    sources: 'siehe quelle quellen aus',
  },
  documents: {
    givenNames: `datei, anhang, zwischenablage, unbenannt[es dokument|e (tabelle|präsentation)], foto, bild,
      (bildschirmfoto|bildschirmaufnahme)[ {number}], aufnahme, sprachnachricht, neue aufnahme,
      (dokument|mappe|präsentation){digits}`,
    sheets: 'excel[-][datei|tabelle|liste], tabelle, arbeitsmappe, tabellenkalkulation',
    slides: 'präsentation, powerpoint[-][datei|präsentation], folien, foliensatz',
    pictures: 'scan, bild, foto, bildschirmfoto, gescannte[n|r|s], eingescannte[n|r|s]',
    scans: 'scan, gescannte[n|r|s], eingescannte[n|r|s]',
    mails: '[e[-]]mail',
    wordFiles: 'word[-][datei|dokument]',
    pdfs: 'pdf[-][datei|dokument]',
    solved: 'gelöst beantwortet erledigt',
    quoteStyles: 'Zitat',
    headingStyles: 'Überschrift',
    headings: 'artikel anhang anlage kapitel abschnitt',
    page: 'seite, s.',
    pageOf: 'von',
    beforeNumbers: 'nr abs art ziff kap abb tab tel az',
    closings:
      'mit (freundlichen|besten|herzlichen) grüßen, (freundliche|beste|viele|herzliche|liebe) grüße, hochachtungsvoll',
    abbreviations: 'Nr Abs Art Ziff Hr Fr Str Tel Abb Kap ca bzw z.B d.h u.a',
    afterOrdinals: 'Jan Feb März Apr Mai Jun Jul Aug Sep Okt Nov Dez Quartal Etage Stock Kapitel Tag Woche Monat Jahr',
  },
  search: {
    stopWords: `bitte wurde wurden wird werden gibt welche welcher welches wieviel wieviele wer wann warum viele wen wem wessen
      wofür womit wodurch woran worin wovon woher wohin wieso weshalb inwiefern dass beim möchte möchten brauche`,
    saysNothing: `wie (lang[e]|oft|bald|schnell|lautet|lauten), (findet|finden|fand|fanden) {gap} statt,
      statt(finden|findet|fand|gefunden), was (bedeutet|heißt), (kümmert|kümmern) sich um, (verantwortlich|zuständig) für`,
    light: `bekomme bekommt bekommen bekam gibt geben gab geht gehen ging kommt kommen kam macht machen machte muss müssen musste lange lang hoch hohe
      viel viele groß weit alt gilt gelten passiert lässt lassen darf dürfen kriege kriegt kriegen finde findet finden heißt heute jetzt noch
      schon etwas alles nichts jemand jeder alle leute eigentlich überhaupt steht stehen liegt liegen bleibt bleiben braucht nehmen nimmt
      nehme tun tut sagt sagen genau normalerweise eben mal wieder`,
    verbPrefixes: 'ab an auf aus bei ein mit nach vor zu zurück weg fest',
    verbEndings: 'st t en e',
    infinitive: 'en',
  },
  tables: deTables,
  synonyms: deSynonyms,
}
