import { describe, expect, it } from 'vitest'
import iconv from 'iconv-lite'
import { decodeAs, decodeText } from '#lib/decode.ts'

const GERMAN =
  'Die Öffnungszeiten ändern sich ab März. Der Schlüssel hängt im Flur. Größere Beträge genehmigt der Chef.'
const CZECH = 'Příliš žluťoučký kůň úpěl ďábelské ódy. Zaměstnanci mají nárok na pět týdnů dovolené ročně, říká šéf.'
const POLISH =
  'Świadectwo pracy wydaje się w dniu rozwiązania umowy. Łódź i Kraków są dużymi miastami; zażółć gęślą jaźń.'
const TURKISH = 'Çalışanların yıllık izin süresi yirmi gündür. Başvuru İnsan Kaynakları bölümüne yapılır.'
const RUSSIAN = 'Сотрудники имеют право на двадцать восемь дней отпуска в год. Ключ висит в коридоре.'
const GREEK = 'Οι εργαζόμενοι δικαιούνται είκοσι ημέρες άδεια τον χρόνο.'
const JAPANESE =
  '氏名,都市,備考\n佐藤太郎,大阪,給料は毎月二十五日に支払われます。\n鈴木,東京,鍵は廊下にかかっています。\n'
const KOREAN = '직원은 연간 이십 일의 휴가를 가질 수 있습니다. 열쇠는 복도에 걸려 있습니다.'
const SIMPLIFIED = '员工每年有二十天的假期。工资在每月五号发放。钥匙挂在走廊里。\n'
const TRADITIONAL = '員工每年有二十天的假期。薪資在每月五號發放。鑰匙掛在走廊裡。\n'

describe('decodeText', () => {
  it.each([
    ['windows-1250', CZECH],
    ['iso-8859-2', CZECH],
    ['windows-1250', POLISH],
    ['iso-8859-2', POLISH],
    ['windows-1250', 'A fizetés a hónap ötödik napján érkezik. Győrben űrlapot lehet kérni, következő hét.'],
    ['windows-1254', TURKISH],
    ['windows-1252', GERMAN],
    ['windows-1252', 'The café’s opening hours – “summer” – are from 9 to 5. It costs £40 or €55.'],
    ['cp850', GERMAN],
    ['macintosh', GERMAN],
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['cp866', RUSSIAN],
    ['windows-1253', GREEK],
    ['windows-1255', 'העובדים זכאים לעשרים ימי חופשה בשנה. המשכורת משולמת בחמישי לכל חודש.'],
    ['windows-1256', 'يحق للموظفين عشرون يوما من الإجازة في السنة. المفتاح معلق في الممر.'],
    ['windows-1257', 'Darbuotojai turi teisę į dvidešimt dienų atostogų per metus, šalia žalių durų.'],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['euc-kr', KOREAN],
    ['gb18030', SIMPLIFIED],
    ['big5', TRADITIONAL],
  ])('tells %s by its letters', (encoding, text) => {
    expect(decodeText(iconv.encode(text, encoding))).toBe(text)
  })

  it.each([
    GERMAN,
    RUSSIAN,
    JAPANESE,
    SIMPLIFIED,
    'Name,City\r\nAda,Leeds\r\n',
    '契約期間は三年で、家賃は毎月一日に支払うものとする。',
    '名前,都市\n山田,東京\n',
    'สัญญามีอายุสามปี\nชำระค่าเช่าทุกเดือน\n',
  ])('reads sixteen and thirty-two bits a character, with and without a mark: %s', (text) => {
    for (const encoding of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
      const forms = [true, false].map((addBOM) => decodeText(iconv.encode(text, encoding, { addBOM })))
      expect([encoding, ...forms]).toEqual([encoding, text, text])
    }
  })

  it.each([
    ['windows-1254', 'İsim;Şehir\nAyşe;İzmir\n'],
    ['windows-1250', 'Név;Város\nGyőző;Győr\n'],
    ['windows-1250', 'Nume;Oraş\nŞtefan;Iaşi\n'],
    ['windows-1252', 'Nafn;Staður\nÞórður;Ísafjörður\n'],
    ['windows-1252', 'Það er gott veður'],
    ['windows-1254', 'aşağı, şöyle'],
    ['windows-1252', '[“Yes”] [“No”] [“Red”] [“Blue”]'],
    ['windows-1252', 'Nimi;Koht\nTõnu;Põltsamaa ühing\n'],
    ['windows-1252', 'Nome;Opções\nJosé;1º andar, limões\n'],
    ['shift_jis', '名前,都市\n山田,東京\n'],
    ['windows-1250', 'Nazwa;Cena\nŻurek śląski;12\n'],
    ['iso-8859-2', 'Nazwa;Cena\nŻurek śląski;12\n'],
    ['cp852', 'Nazwa;Cena\nŻurek śląski;12\n'],
    ['windows-1254', 'Ad;Şehir\nŞule Yıldız;İzmir\n'],
    ['cp850', 'Name;Straße\nMüller;Höhenweg\n'],
    ['cp850', 'Año;Señor\nPeña;José\n'],
    ['macintosh', 'Artikel;Größe\nTür;groß\n'],
    ['iso-8859-15', 'Prix : 5 €, œuvre, Šibenik\n'],
    ['windows-1252', 'It’s “open” – from 9–5, 5 €…\n'],
    [
      'windows-1252',
      `Rule 7 (“the Rules”) stipulates the members’ proxies of a meeting. ${'All members vote. '.repeat(40)}`,
    ],
    ['shift_jis', '品名,数量\n船,3\n'],
    ['shift_jis', '氏名,ｶﾅ\n佐藤太郎,ｻﾄｳﾀﾛｳ\n'],
    ['shift_jis', '会議室\n'],
    ['shift_jis', '受付\n'],
    ['shift_jis', 'OK / 不可\n'],
    ['shift_jis', '在庫 3\n'],
    ['shift_jis', 'Server A: 停止\nServer B: 稼働中\n'],
    ['windows-1251', 'Kiel Sofia Split: вода, сети\n'],
    ['windows-1252', 'Stand “W”\n'],
    ['cp850', 'größe\n'],
    ['macintosh', 'Café des élèves\n'],
    ['iso-8859-7', 'Όνομα;Πόλη\nΆννα;Αθήνα\n'],
  ])('tells %s by a handful of letters, as in a short list', (encoding, text) => {
    expect(decodeText(iconv.encode(text, encoding))).toBe(text)
  })

  it('reads UTF-8 with damage: lines of another encoding, strange bytes, and a cut end', () => {
    const lines = 'Müller;Köln\n'.repeat(8)
    expect(decodeText(Buffer.concat([Buffer.from(lines), Buffer.from('J\u00e4ger\n', 'latin1')]))).toBe(
      `${lines}Jäger\n`,
    )
    expect(decodeText(Buffer.concat([Buffer.from(lines), Buffer.from([0xff])]))).toBe(`${lines}ÿ`)
    expect(decodeText(Buffer.from('Müller 灯台 für').subarray(0, -2))).toBe('Müller 灯台 fÃ')
  })

  it('reads long damaged text piece by piece: each stretch once, not each letter', () => {
    const text = '灯台の鍵'.repeat(200_000)
    const read = decodeText(Buffer.concat([Buffer.from(text), Buffer.from([0xff])]))
    expect(read === `${text}ÿ`).toBe(true)
  })

  it('reads Japanese between escapes', () => {
    const bytes = Buffer.concat([
      Buffer.from('Title: \u001b$B'),
      Buffer.from('467c4b5c386c', 'hex'),
      Buffer.from('\u001b(B.'),
    ])
    expect(decodeText(bytes)).toBe('Title: 日本語.')
  })

  it('tells by the first letters beyond ASCII, however late they come', () => {
    const text = `${'A line of plain letters.\n'.repeat(8000)}${POLISH}\n`
    expect(decodeText(iconv.encode(text, 'windows-1250'))).toBe(text)
  })

  it('leaves zero bytes out of a text', () => {
    const log = Buffer.from(`pump started${'\0'.repeat(4096)}\nGröße 4\0\npump stopped\n`)
    expect(decodeText(log)).toBe('pump started\nGröße 4\npump stopped\n')
  })

  it('takes a few letters for those of Western Europe', () => {
    expect(decodeText(Buffer.from('g\u00f6\u0080', 'latin1'))).toBe('gö€')
  })
})

describe('decodeAs', () => {
  it('knows encodings of the web and those of DOS, and no others', () => {
    expect(decodeAs('iso-8859-2', Buffer.from([0xb1]))).toBe('ą')
    expect(decodeAs('ibm850', Buffer.from([0x81]))).toBe('ü')
    expect(decodeAs('x-unheard-of', Buffer.from([0x81]))).toBeUndefined()
  })
})
