/** Text layers of fonts without a true table of letters, and of recognitions that failed. */
import { describe, expect, it } from 'vitest'
import type { NativePage } from '#platform/engine/convert/pdf/native-reader.ts'
import { createNonsense, nonsenseIn } from '#platform/engine/convert/pdf/scans/nonsense.ts'

const PROSE = {
  English:
    'The harbour office measures the tide twice a day, and the pier is closed when the wind is stronger than eight; whoever leaves a boat there for more than two nights tells the office.',
  German:
    'Das Hafenbüro misst die Gezeiten zweimal täglich. Rechtsschutz und Schriftwechsel besorgt die Geschäftsführung; der Schlüssel liegt beim Wärter, Gebühren für Liegeplätze werden jährlich im März geändert.',
  Czech:
    'Přístav je otevřen každý den od osmi hodin. Kdo nechá loď u mola déle než dvě noci, musí to oznámit v kanceláři; poplatky za kotviště se mění každý rok v březnu a platí se předem.',
  Polish:
    'Biuro portu mierzy przypływ dwa razy dziennie. Kto zostawia łódź przy molo na dłużej niż dwie noce, musi zgłosić to w biurze; opłaty za miejsca zmieniają się co roku w marcu.',
  Vietnamese:
    'Văn phòng cảng đo thủy triều hai lần mỗi ngày. Người nào để thuyền ở bến quá hai đêm phải báo cho văn phòng; lệ phí chỗ đậu được thay đổi hằng năm vào tháng ba và được trả trước.',
}
const moved = (by: number) =>
  PROSE.English.replace(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + by) % 26))
  })
const offset = (by: number) => PROSE.English.replace(/\S/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + by))
const pageOf = (text: string) => ({ pageNum: 1, text }) as unknown as NativePage

describe('a text layer', () => {
  it.each(Object.entries(PROSE))('of prose is no nonsense: %s', (_, text) => {
    expect(nonsenseIn(text)).toBeLessThan(0.15)
  })

  it.each([
    ['letters moved in the alphabet', moved(11)],
    ['places of a font for letters', `${offset(-29)} ${offset(-29)}`],
    ['letters with accents', offset(128)],
    ['control characters', offset(29)],
    [
      'a failed recognition',
      'xk61t qNo M2kPz5 xJ&rcb x/uyI kK1p ob7lu li=x 2Kl& 6I7x 9Mwx&k7 z46Ip)r 9w1w L5K5 t3kOr 8(tt4 KI0OMt t5nx 2Oe v5am6 gdL0dr Mo2g7I irp%nd 4x7cdx xl$p2 bfh(bc',
    ],
  ])('is nonsense: %s', (_, text) => {
    expect(nonsenseIn(text)).toBeGreaterThan(0.2)
  })

  it('of letters that recognition may not know stays', () => {
    const shipper = 'TO: 天津外代货运有限公司 托运人 收货人 通知人 中远海运集装箱运输有限公司 起运港 目的港 品名 毛重 '
    expect(nonsenseIn(shipper.repeat(20) + moved(11))).toBe(0)
  })

  it('without a letter gives way to the few words that the page shows', () => {
    const page = pageOf('**-\u0003\u0004\u0005\u0006\u0005\u0007\b\u0005**')
    expect(createNonsense().choose(page, pageOf('AV- Receiver')).text).toBe('AV- Receiver')
  })

  it('stays where recognition reads no better, and no other page of the document is recognized', () => {
    const nonsense = createNonsense()
    const page = pageOf(moved(11))
    expect(nonsense.choose(page, pageOf(PROSE.English)).text).toBe(PROSE.English)
    expect(nonsense.isLikely(page)).toBe(true)
    expect(nonsense.choose(page, pageOf(moved(10)))).toBe(page)
    expect(nonsense.isLikely(page)).toBe(false)
  })
})
