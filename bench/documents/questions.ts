/** `words`: asked in the words of the paper. `paraphrase`: few words shared. `across`: in another language. */
export type QuestionKind = 'words' | 'paraphrase' | 'across'

export interface Question {
  readonly kind: QuestionKind
  readonly text: string
  readonly file: string
  /** Heading of the page, slide, sheet or section; a word of the row where the paper is a table without one. */
  readonly section: string
}

const ask = (kind: QuestionKind, rows: readonly (readonly [text: string, file: string, section: string])[]) =>
  rows.map(([text, file, section]): Question => ({ kind, text, file, section }))

export const questions: readonly Question[] = [
  ...ask('words', [
    ['How many days of annual leave does a full-time employee have?', 'leave-policy.pdf', 'Annual leave'],
    ['How many weeks of parental leave are paid?', 'leave-policy.pdf', 'Parental leave'],
    ['What is the ceiling for a hotel room a night?', 'travel-expenses.pdf', 'Hotels'],
    ['Within how many days are receipts handed in?', 'travel-expenses.pdf', 'Submitting receipts'],
    ['How many characters must a passphrase have?', 'it-security-handbook.pdf', 'Passwords'],
    ['After how many hours do VPN sessions end?', 'it-security-handbook.pdf', 'Remote access'],
    ['How long are backup copies of the servers kept?', 'it-security-handbook.pdf', 'Backups'],
    ['How large is the training budget for courses and books?', 'onboarding-guide.docx', 'Training budget'],
    ['What does error code E17 of the T40 mean?', 'tidegauge-t40-manual.pdf', 'Error codes'],
    ['When is calibration of the tide gauge due?', 'tidegauge-t40-manual.pdf', 'Calibration'],
    ['Which sheet does a crate with returned goods carry?', 'warranty-terms.docx', 'Returns'],
    ['What is the range of the Osprey radar in nautical miles?', 'harbour-radar-pitch.pptx', 'Our answer'],
    ['When will the plant in Tarifa be closed?', 'board-minutes-2026-03.md', 'Decisions'],
    ['Which expired certificate stopped the gauges from connecting?', 'incident-report-0417.md', 'Root cause'],
    ['How large may attachments be in Tidebook 5?', 'release-notes-5.txt', 'Changed'],
    ['What is the yearly fee of the support contract for Kinsale?', 'support-contract-kinsale.eml', 'Fee'],
    ['What is the lead time of Sakai Sensors for strain gauges?', 'suppliers.csv', 'Sakai Sensors'],
    ['On which shelf are the filter cartridges F2?', 'inventory-2026.xlsx', 'Warehouse Esbjerg'],
    ['How many cents a kilometre are paid to whoever cycles to work?', 'sustainability-report.epub', 'Commuting'],
    ['Wie viele Stunden darf das Konto der Gleitzeit im Plus stehen?', 'arbeitszeit.pdf', 'Gleitzeit'],
    ['Wo ist der Sammelplatz im Brandfall?', 'brandschutz.docx', 'Sammelplatz'],
    ['Wie lange werden Prüfprotokolle im Archivkeller aufbewahrt?', 'kalibrierlabor.odt', 'Prüfprotokoll'],
    ['Wer leitet den Stand auf der Messe SMM?', 'messeplanung.xlsx', 'Standpersonal'],
    ["Quelle indemnité forfaitaire est versée pour l'électricité et l'internet ?", 'teletravail.docx', 'Matériel'],
    ['Combien pèse la bouée Mouette ?', 'catalogue-bouees.html', 'Bouée Mouette'],
    ['¿Cuántas plazas tiene el aparcamiento cubierto?', 'plan-vigo.pdf', 'Aparcamiento'],
    ['正式员工每年有多少天带薪年假?', '员工手册.docx', '年假'],
    ['東京の宿泊費の上限はいくらですか。', '出張規程.docx', '宿泊'],
    ['Какой штраф взимается при утере пропуска?', 'пропускной-режим.txt', 'Пропуска'],
    ['كم رقم الطوارئ الداخلي؟', 'دليل-السلامة.html', 'الطوارئ'],
  ]),
  ...ask('paraphrase', [
    ['Do I lose vacation that is left over from last summer?', 'leave-policy.pdf', 'Carry-over'],
    ['When do I need a doctor’s note?', 'leave-policy.pdf', 'Sick days'],
    ['Who pays for my dinner on a business journey?', 'travel-expenses.pdf', 'Daily allowance'],
    ['May I go by plane to a customer nearby?', 'travel-expenses.pdf', 'Booking trains and flights'],
    ['My computer was taken on the bus, what now?', 'it-security-handbook.pdf', 'Lost devices'],
    ['I got a strange email asking for my login, what should I do?', 'it-security-handbook.pdf', 'Phishing'],
    ['How quickly could I quit as a newcomer?', 'onboarding-guide.docx', 'Probation'],
    ['How do we survive a blackout at the gauge?', 'tidegauge-t40-manual.pdf', 'Power supply'],
    ['For how long is a broken product repaired free of charge?', 'warranty-terms.docx', 'Duration'],
    ['What would a little marina save on the purchase?', 'harbour-radar-pitch.pptx', 'Pricing'],
    ['Who could not come to the directors’ session?', 'board-minutes-2026-03.md', 'Attendance'],
    ['How do we keep that outage from coming again?', 'incident-report-0417.md', 'Measures'],
    ['Can somebody phone at night if the device in Ireland dies?', 'support-contract-kinsale.eml', 'Service hours'],
    ['Where does the factory get its electric current?', 'sustainability-report.epub', 'Energy'],
    ['Is a booked space kept if we arrive late?', 'meeting-room-rules.html', 'Booking'],
    ['Wie oft kann ich Homeoffice machen?', 'arbeitszeit.pdf', 'Mobiles Arbeiten'],
    ['Was zahlt die Firma für den Ruhestand dazu?', 'betriebsrente.pdf', 'Anspruch'],
    ['Ich vertrage keinen Weizen, woran erkenne ich mein Essen?', 'kantine.md', 'Unverträglichkeiten'],
    ['Faut-il répondre aux courriels le soir ?', 'teletravail.docx', 'Droit à la déconnexion'],
    ['¿Quién autoriza un gasto muy grande?', 'politica-compras.odt', 'Límites'],
  ]),
  ...ask('across', [
    ['Wie viele Urlaubstage haben die Beschäftigten in Russland?', 'регламент-отпусков.docx', 'Продолжительность'],
    ['How much rent is paid for the dormitory?', '员工手册.docx', '宿舍'],
    ['What should I do during an earthquake?', '防災マニュアル.md', '地震のとき'],
    ['When do visitors of the French workshop wear a vest?', 'securite-atelier.pdf', 'Équipement de protection'],
    ['What time does the canteen close?', 'kantine.md', 'Öffnungszeiten'],
    ['How long is the anchor chain of a buoy compared to the depth?', '浮标安装指南.md', '准备工作'],
    ['Wie lange wird ein Muster auf Wasserdichtigkeit geprüft?', '质量检验.html', '防水测试'],
    ['Where do I pick up a heavy parcel in Greece?', 'εγχειρίδιο-υποδοχής.html', 'Δέματα'],
    ['How soon are suppliers’ invoices paid in Spain?', 'politica-compras.odt', 'Pagos'],
    ['Quand faut-il changer le casque ?', 'دليل-السلامة.html', 'معدات الوقاية'],
  ]),
]

/** Nothing in the papers answers these: ten from other fields, and five that ask of the house what no paper says. */
export const unanswerable: readonly string[] = [
  'What is the boiling point of tungsten?',
  'Who won the football world cup in 1974?',
  'How do I prune an apple tree in winter?',
  'What is the capital of Mongolia?',
  'Which composer wrote the Goldberg Variations?',
  'Welche Zutaten gehören in einen Sauerbraten?',
  'Quelle est la hauteur de la tour Eiffel ?',
  '光合作用是怎样进行的?',
  '富士山の標高は何メートルですか。',
  'Кто написал роман «Мастер и Маргарита»?',
  'How large is the Christmas bonus?',
  'Which insurance covers accidents with company cars?',
  'Who designed the logo of Aldervik Marine?',
  'In welchem Jahr wurde das Unternehmen gegründet?',
  'Which dog breeds may be brought to work?',
]
