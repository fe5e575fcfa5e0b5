import type { Retrieved } from '../api/retrieve.ts'
import { leastEvidence } from './extractive.ts'

/**
 * Words that offices use for one thing, in English and German: what a person asks for is often written otherwise in the
 * file. General vocabulary, not that of any collection. German stands behind `|`.
 */
const SAME = `
vacation, holiday, holidays, annual leave, pto, paid time off, time off, days off, leave days, leave | urlaub, urlaubstage, erholungsurlaub, ferien, freie tage
doctor's note, doctors note, sick note, medical certificate, sick certificate | attest, krankschreibung, krankmeldung, arbeitsunfähigkeitsbescheinigung
quit, quitting, quit my job, leave my job, resign, resigning, resignation, hand in my notice, leave the company, notice period | kündigen, kündige, kündigung, kündigungsfrist
notice period, period of notice, notice | kündigungsfrist, frist
cancel, terminate, terminated, termination, end the contract, get out of | kündigen, kündigung, gekündigt, beenden
dog, puppy, pet | hund, haustier
home office, homeoffice, work from home, working from home, remote work, work remotely, working remotely, wfh, telework | home office, homeoffice, mobiles arbeiten
abroad, overseas, foreign country, another country, spain, italy, france, portugal, greece, croatia, turkey, poland, sweden, norway, denmark, thailand, canada, australia, mexico | im ausland, ausland, spanien, italien, frankreich, griechenland, kroatien, österreich, schweiz, polen, schweden, dänemark
salary, wage, pay, paycheck, income | gehalt, lohn, vergütung
payslip, pay slip, payroll, salary statement | gehaltsabrechnung, lohnabrechnung, gehaltszettel
pension, retirement, retire, 401k, pension scheme | rente, altersvorsorge, ruhestand
maternity leave, paternity leave, parental leave, new mothers, new fathers, new parents, mothers, birth parents | elternzeit, mutterschutz
refund, reimburse, reimbursed, reimbursement, money back, pay back, expenses | erstattung, erstattet, auslagen, spesen
receipt, invoice, bill | beleg, rechnung, quittung
ticket, fine, penalty | ticket, strafzettel, bußgeld
phone, telephone, call, ring, dial, hotline, phone number | hotline, anrufen, telefon, durchwahl, telefonnummer
emergency, accident | notfall, unfall
laptop, computer, pc, notebook | laptop, computer, pc, notebook, rechner, gerät
broken, not working, does not work, doesn't work, down, outage, does not answer, breakdown, failure, malfunction | störung, störungen, defekt, kaputt, geht nicht, nicht geht, nicht mehr geht, funktioniert nicht, nicht funktioniert
password, passcode, login, credentials | login, passwort, kennwort, zugangsdaten
wifi, wi-fi, wlan, wireless, internet | wlan, wifi, internet
hard disk, hard drive, disk, drive, storage | festplatte, speicher
out of space, runs out of space, no space, full | voll
rollback, roll back, rolled back, revert | rollback, zurückrollen
deploy, deployment, release, rollout | deployment, release, rollout
supplier, vendor, provider | lieferant, anbieter
customer, client | kunde, kunden
meeting, appointment | meeting, besprechung, sitzung, treffen, termin
price, cost, fee, pay, charge, rate, remuneration | preis, kosten, gebühr, vergütung, entgelt
employee, staff, worker, colleague | mitarbeiter, beschäftigte, angestellte
boss, manager, supervisor, team lead | manager, chef, vorgesetzter, teamleitung
wedding, marriage, get married | hochzeit, heirat, heiraten
death, bereavement, funeral | todesfall, beerdigung, trauerfall
sick, ill, illness, sickness | krank, krankheit, erkrankt
training, course, further education, seminar | training, seminar, fortbildung, weiterbildung, schulung
bike, bicycle | fahrrad
car, vehicle, rental car | auto, mietwagen, dienstwagen
fly, flight, plane | flug, fliegen
business, business class | business, business class
train, railway, rail | bahn, zug
hotel, accommodation, lodging | hotel, unterkunft, übernachtung
per diem, meal allowance, daily allowance, food, lunch, dinner | verpflegung, verpflegungspauschale, spesensatz
overtime, extra hours | überstunden, mehrarbeit
working hours, work hours, office hours | arbeitszeit, arbeitszeiten
probation, probation period, trial period, first six months | probezeit, ersten sechs monate
contract, agreement | vertrag, vereinbarung
rent, lease | miete, mietvertrag
insurance, insured | versicherung, versichert
discount, rebate, price reduction | rabatt, nachlass
delivery, shipment, shipping | lieferung, versand
late, delayed, delay | verspätet, verspätung, verzögerung
expire, expires, lapse, lapses | verfallen, verfällt, ablaufen
open, opening hours, business hours | geöffnet, öffnungszeiten, besetzt
closed, shut | geschlossen
between the years, between christmas and new year | zwischen den jahren, zwischen weihnachten und neujahr
guest, visitor | gast, gäste, besucher
backup, backed up | backup, sicherung, datensicherung, gesichert, sichern
paid out, cash out, payout | auszahlen, auszahlung, ausgezahlt
unused, not taken, left over | nicht genommen, nicht genommenen, resturlaub, rest
apply for, application, request | beantragen, antrag
forbidden, prohibited, not allowed | verboten, untersagt
deadline, due, due date | frist, fällig
bonus, premium | bonus, prämie, sonderzahlung
move, relocation | umzug, umziehen
replace, replaces, replaced, switch, switched, changed to | ersetzt, gewechselt
kitchen, canteen, cafeteria | cafeteria, küche, kantine
parking, car park | parkplatz, parken
upload, uploads | upload, hochladen
per year, a year, each year, every year, annual, annually, yearly | pro jahr, im jahr, jedes jahr, jährlich, jahresgebühr
per month, a month, each month, every month, monthly | pro monat, im monat, jeden monat, monatlich
keep, kept, retained, retention, stored | aufbewahren, aufbewahrt, aufheben, aufgehoben, gespeichert
delete, deleted, erased | löschen, gelöscht
liable, liability | haftet, haften, haftung
negligence | fahrlässigkeit
party, staff party, company party, christmas party, summer party, celebration | feier, betriebsfeier, firmenfeier, weihnachtsfeier, sommerfest
letter | brief, schreiben
signed, sign, signature | unterschrieben, unterzeichnet, unterschrift
landlord, lessor, property management | vermieter, hausverwaltung
arrive, arrives, arrival | ankommen, ankunft, eintreffen
lost, stolen, missing | verloren, gestohlen, geklaut, verlust, diebstahl
elevator, lift | aufzug, fahrstuhl
warranty, guarantee | garantie, gewährleistung
repair, repaired, fix | reparatur, reparieren, repariert
return, give back, send back | rückgabe, zurückgeben, umtausch, umtauschen
order, purchase, buy | bestellung, bestellen, kaufen
payment, payable | zahlung, zahlbar
tax, vat | steuer, mehrwertsteuer, umsatzsteuer
start, begin, begins, beginning | start, beginn, beginnt, anfang
allowed, permitted | erlaubt, gestattet, zulässig
access card, badge | ausweis, zugangskarte
fire drill, evacuation drill | brandschutzübung, räumungsübung
first aid, first aider | erste hilfe, ersthelfer
data protection, privacy, gdpr | datenschutz, dsgvo
shift, late shift, early shift | schicht, spätschicht, frühschicht
free of charge, for free | kostenlos, gratis, umsonst
present, attended, participants, attendees | anwesend, teilnehmer, teilgenommen
absent, excused | entschuldigt, abwesend, gefehlt
decided, decision, resolved | beschlossen, beschluss, entschieden, entscheidung
rejected, declined, turned down | abgelehnt, verworfen
postponed, rescheduled, put off | verschoben, vertagt
task, to-do, action item | aufgabe
increase, raise, raised, rise, goes up, go up | erhöhung, erhöht, steigt, anstieg
in charge, responsible | verantwortlich, zuständig
address, headquarters | adresse, anschrift, sitz
hearing protection | gehörschutz
side job, second job | nebentätigkeit, nebenjob
`
interface Term {
  readonly words: string
  /** Undefined: words of both. */
  readonly language?: 'en' | 'de'
}

function toGroup(line: string): readonly Term[] {
  const [english = [], german = []] = line.split(' | ').map((part) => part.split(', '))
  return [
    ...english.map((words): Term => ({ words, language: german.includes(words) ? undefined : 'en' })),
    ...german.filter((words) => !english.includes(words)).map((words): Term => ({ words, language: 'de' })),
  ]
}
const GROUPS = SAME.trim().split('\n').map(toGroup)

/** The others by word: those of every line in which it stands. */
const groupOf = new Map<string, Term & { readonly group: readonly Term[] }>()
for (const group of GROUPS) {
  for (const term of group) {
    const known = groupOf.get(term.words)
    const language = known !== undefined && known.language !== term.language ? undefined : term.language
    groupOf.set(term.words, { words: term.words, language, group: [...(known?.group ?? []), ...group] })
  }
}
const escape = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
/** Longest first, so that `annual leave` is no `leave`; with the ending of a plural. */
const KNOWN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${[...groupOf.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map(escape)
    .join('|')})s?(?![\p{L}\p{N}])`,
  'giu',
)

/** Evidence above which the question's own words are believed. */
const SURE = 0.95
/** Other words must tell so much more than the question's own, where these would be answered. */
const LEAD = 0.2
/** Evidence that other words lose: they may mean something else. */
const DOUBT = 0.03
const MAX_REPLACED = 3
const MAX_WORDINGS = 24
/** Longer questions say enough themselves. */
const MAX_QUESTION_CHARS = 500

const evidenceOf = ({ quotes }: Retrieved) => quotes[0]?.evidence ?? 0

const toAsked = (question: string) => question.normalize('NFC').replaceAll('’', "'")

function isOtherWording(other: Term, own: Term | undefined, isAnswered: boolean): boolean {
  if (own === undefined) return false
  // An answer in the language of the question is believed before one in another language.
  if (isAnswered && own.language !== other.language && own.language !== undefined && other.language !== undefined)
    return false
  // `annual leave` for `leave` would find the same passages, with a word more.
  return !other.words.includes(own.words) && !own.words.includes(other.words)
}

type Search = (question: string) => Promise<Retrieved>

/**
 * Searches for a question in other words, too, where its own find little: words that offices use for the same thing, as
 * far as they stand in the collection.
 *
 * @param found what the question's own words find.
 * @returns what the best wording finds.
 *
 * @param searchWords tells whether a word stands in the files: without vectors, since a near meaning is no word, and
 * each vector is a request to the model.
 */
export async function searchInOtherWords(
  question: string,
  found: Retrieved,
  search: Search,
  searchWords: Search = search,
): Promise<Retrieved> {
  if (found.nothingIndexed || question.length > MAX_QUESTION_CHARS || evidenceOf(found) >= SURE) return found
  const asked = toAsked(question)
  const matches = [...asked.matchAll(KNOWN)].slice(0, MAX_REPLACED)
  if (matches.length === 0) return found
  const isAnswered = evidenceOf(found) >= leastEvidence(found.language)
  let wordings = [{ text: '', from: 0 }]
  for (const { 0: whole, 1: words = '', index } of matches) {
    const own = groupOf.get(words.toLowerCase())
    const others = (own?.group ?? []).filter((other) => isOtherWording(other, own, isAnswered))
    const there = await Promise.all(others.map(async (other) => (await searchWords(other.words)).passages.length > 0))
    const choices = [whole, ...others.filter((_, at) => there[at]).map((other) => other.words)]
    wordings = wordings
      .flatMap(({ text, from }) =>
        choices.map((choice) => ({ text: `${text}${asked.slice(from, index)}${choice}`, from: index + whole.length })),
      )
      .slice(0, MAX_WORDINGS)
  }
  let best = found
  for (const { text, from } of wordings.slice(1)) {
    const other = await search(`${text}${asked.slice(from)}`)
    if (evidenceOf(other) > evidenceOf(best) + (best === found && isAnswered ? LEAD : 0)) best = other
  }
  return best === found ? found : lessSure(best)
}

const lessSure = (found: Retrieved): Retrieved => ({
  ...found,
  quotes: found.quotes.map((quote) => ({ ...quote, evidence: quote.evidence - DOUBT })),
})

/**
 * The passages of the question's own words and those of other words for it, by turns: a model judges them itself.
 *
 * @param own what the question's own words find.
 */
export async function addOtherWords(
  question: string,
  own: Retrieved,
  search: Search,
  searchWords: Search = search,
): Promise<Retrieved> {
  if (question.length > MAX_QUESTION_CHARS || toAsked(question).search(KNOWN) < 0) return own
  const first = await search(question)
  const other = await searchInOtherWords(question, first, search, searchWords)
  if (other === first) return own
  const length = Math.max(own.passages.length, other.passages.length)
  const byTurns = Array.from({ length }, (_, at) => [other.passages[at] ?? [], own.passages[at] ?? []].flat()).flat()
  // A page may hold several passages.
  const passages = new Map(byTurns.map((passage) => [`${passage.file}\n${passage.place}\n${passage.body}`, passage]))
  return { ...own, passages: [...passages.values()].slice(0, length) }
}
