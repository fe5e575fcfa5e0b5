import type { Retrieved } from '../api/retrieve.ts'
import { leastEvidence } from './extractive.ts'

/**
 * Words that offices use for one thing, in English and German: what a person asks for is often written otherwise in the
 * file. General vocabulary, not that of any collection.
 */
const SAME = `
vacation, holiday, holidays, annual leave, pto, paid time off, time off, days off, leave days, leave, urlaub, urlaubstage, erholungsurlaub, ferien, freie tage
doctor's note, doctors note, sick note, medical certificate, sick certificate, attest, krankschreibung, krankmeldung, arbeitsunfähigkeitsbescheinigung
quit, resign, resignation, hand in my notice, leave the company, notice period, kündigen, kündigung, kündigungsfrist
dog, puppy, pet, hund, haustier
home office, homeoffice, work from home, working from home, remote work, work remotely, working remotely, wfh, telework, mobiles arbeiten
abroad, overseas, foreign country, another country, im ausland, ausland, spain, italy, france, portugal, greece, croatia, turkey, poland, sweden, norway, denmark, thailand, canada, australia, mexico, spanien, italien, frankreich, griechenland, kroatien, österreich, schweiz, polen, schweden, dänemark
salary, wage, pay, paycheck, income, gehalt, lohn, vergütung
pension, retirement, retire, 401k, pension scheme, rente, altersvorsorge, ruhestand
maternity leave, paternity leave, parental leave, new mothers, new fathers, new parents, mothers, birth parents, elternzeit, mutterschutz
refund, reimburse, reimbursed, reimbursement, money back, pay back, expenses, erstattung, erstattet, auslagen, spesen
receipt, invoice, bill, beleg, rechnung, quittung
ticket, fine, penalty, strafzettel, bußgeld
phone, telephone, call, ring, dial, hotline, phone number, anrufen, telefon, durchwahl, telefonnummer
emergency, accident, notfall, unfall
laptop, computer, pc, notebook, rechner, gerät
broken, not working, does not work, doesn't work, down, outage, does not answer, störung, störungen, defekt, kaputt, geht nicht, funktioniert nicht
password, passcode, login, credentials, passwort, kennwort, zugangsdaten
wifi, wi-fi, wlan, wireless, internet
hard disk, hard drive, disk, drive, storage, festplatte, speicher
out of space, runs out of space, no space, full, voll
rollback, roll back, rolled back, revert, zurückrollen
deploy, deployment, release, rollout
supplier, vendor, provider, lieferant, anbieter
customer, client, kunde, kunden
meeting, appointment, besprechung, sitzung, treffen, termin
price, cost, fee, preis, kosten, gebühr
employee, staff, worker, colleague, mitarbeiter, beschäftigte, angestellte
boss, manager, supervisor, team lead, chef, vorgesetzter, teamleitung
wedding, marriage, get married, hochzeit, heirat, heiraten
death, bereavement, funeral, todesfall, beerdigung, trauerfall
sick, ill, illness, sickness, krank, krankheit, erkrankt
training, course, further education, seminar, fortbildung, weiterbildung, schulung
bike, bicycle, fahrrad
car, vehicle, rental car, auto, mietwagen, dienstwagen
fly, flight, plane, flug, fliegen
business, business class
train, railway, rail, bahn, zug
hotel, accommodation, lodging, unterkunft, übernachtung
per diem, meal allowance, daily allowance, food, lunch, dinner, verpflegung, verpflegungspauschale, spesensatz
overtime, extra hours, überstunden, mehrarbeit
working hours, work hours, office hours, arbeitszeit, arbeitszeiten
probation, probation period, trial period, probezeit
contract, agreement, vertrag, vereinbarung
rent, lease, miete, mietvertrag
insurance, insured, versicherung, versichert
discount, rebate, price reduction, rabatt, nachlass
delivery, shipment, shipping, lieferung, versand
late, delayed, delay, verspätet, verspätung, verzögerung
expire, expires, lapse, lapses, verfallen, verfällt, ablaufen
open, opening hours, business hours, geöffnet, öffnungszeiten, besetzt
closed, shut, geschlossen
between the years, between christmas and new year, zwischen den jahren, zwischen weihnachten und neujahr
guest, visitor, gast, gäste, besucher
backup, backed up, sicherung, datensicherung, gesichert, sichern
paid out, cash out, payout, auszahlen, auszahlung, ausgezahlt
unused, not taken, left over, nicht genommen, nicht genommenen, resturlaub, rest
apply for, application, request, beantragen, antrag
forbidden, prohibited, not allowed, verboten, untersagt
deadline, due, due date, frist, fällig
bonus, premium, prämie, sonderzahlung
move, relocation, umzug, umziehen
replace, replaces, replaced, switch, switched, changed to, ersetzt, gewechselt
kitchen, canteen, cafeteria, küche, kantine
parking, car park, parkplatz, parken
upload, uploads, hochladen
`
const GROUPS: readonly (readonly string[])[] = SAME.trim()
  .split('\n')
  .map((line) => line.split(', '))

const groupOf = new Map(GROUPS.flatMap((group) => group.map((words) => [words, group] as const)))
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
const MOST_REPLACED = 3
const MOST_WORDINGS = 24
/** Longer questions say enough themselves. */
const LONGEST = 500

const evidenceOf = ({ quotes }: Retrieved) => quotes[0]?.evidence ?? 0

/**
 * Searches for a question in other words, too, where its own find little: words that offices use for the same thing, as
 * far as they stand in the collection.
 *
 * @param found what the question's own words find.
 * @returns what the best wording finds.
 */
export async function searchInOtherWords(
  question: string,
  found: Retrieved,
  search: (question: string) => Promise<Retrieved>,
): Promise<Retrieved> {
  if (found.nothingIndexed || question.length > LONGEST || evidenceOf(found) >= SURE) return found
  const asked = question.normalize('NFC').replaceAll('’', "'")
  const matches = [...asked.matchAll(KNOWN)].slice(0, MOST_REPLACED)
  if (matches.length === 0) return found
  let wordings = [{ text: '', from: 0 }]
  for (const { 0: whole, 1: words = '', index } of matches) {
    const own = words.toLowerCase()
    // `annual leave` for `leave` would find the same passages, with a word more.
    const others = (groupOf.get(own) ?? []).filter((other) => !other.includes(own) && !own.includes(other))
    const there = await Promise.all(others.map(async (other) => (await search(other)).passages.length > 0))
    const choices = [whole, ...others.filter((_, at) => there[at])]
    wordings = wordings
      .flatMap(({ text, from }) =>
        choices.map((choice) => ({ text: `${text}${asked.slice(from, index)}${choice}`, from: index + whole.length })),
      )
      .slice(0, MOST_WORDINGS)
  }
  let best = found
  const isAnswered = evidenceOf(found) >= leastEvidence(found.language)
  for (const { text, from } of wordings.slice(1)) {
    const other = await search(`${text}${asked.slice(from)}`)
    if (evidenceOf(other) > evidenceOf(best) + (best === found && isAnswered ? LEAD : 0)) best = other
  }
  return best
}
