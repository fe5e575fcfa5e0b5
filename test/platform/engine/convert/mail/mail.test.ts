import { describe, expect, it } from 'vitest'
import { readDocument } from '#platform/engine/convert/read-document.ts'
import { makeLocked } from '#test/fixtures/documents/old-office.ts'
import { toSource } from '#test/fixtures/documents/source.ts'
import { toLocked, toSigned } from '#test/fixtures/documents/pkcs7.ts'
import { toTnef } from '#test/fixtures/documents/tnef.ts'

const read = async (name: string, text: string | Buffer) => {
  const { pages } = await readDocument(toSource(text, { name }))
  return pages.map(({ markdown }) => markdown).join('\n\n')
}

const HEADS = 'From: Ada <ada@example.org>\nSubject: Report\nMIME-Version: 1.0\n'
const part = (type: string, body: string, more = '') => `--B\nContent-Type: ${type}\n${more}\n${body}\n`
const mixed = (...parts: readonly string[]) =>
  `${HEADS}Content-Type: multipart/mixed; boundary=B\n\n${parts.join('')}--B--\n`
const attached = (name: string, body: string | Uint8Array, type = 'application/octet-stream') =>
  part(
    type,
    Buffer.from(body).toString('base64'),
    `Content-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n`,
  )

const inMailbox = (subject: string, body: string) =>
  `From a@example.org Mon Jan  5 09:00:00 2026\nFrom: a@example.org\nSubject: ${subject}\n\n${body}\n\n`

const inCalendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')

const days = (from: string, to: string) =>
  read('a.ics', inCalendar('SUMMARY:Fair', `DTSTART;VALUE=DATE:${from}`, `DTEND;VALUE=DATE:${to}`))

const escaped = (bytes: string) =>
  [...Buffer.from(bytes, 'latin1')].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
const card = (line: string) => `BEGIN:VCARD\r\nVERSION:2.1\r\n${line}\r\nEND:VCARD\r\n`

describe('a mail', () => {
  it('has its attached documents read, by their names', async () => {
    const mail = mixed(
      part('text/plain', 'See below.'),
      attached('fees.csv', 'Ship,Fee\nDora,47\n'),
      attached('notes.txt', 'The berth is 7719.'),
      attached('tool.exe', 'MZ\u0001\u0002'),
    )
    expect(await read('a.eml', mail)).toBe(
      '# Report\n\nFrom: Ada (ada@example.org)\n\nSee below.\n\n' +
        '## Attachment: fees.csv\n\n| Ship | Fee |\n| --- | --- |\n| Dora | 47 |\n\n' +
        '## Attachment: notes.txt\n\nThe berth is 7719.\n\n' +
        '## Attachments\n\n- fees.csv, 1 kB\n- notes.txt, 1 kB\n- tool.exe, 1 kB',
    )
  })

  it('says which attached documents are protected', async () => {
    const locked = makeLocked('password')
    const source = toSource(
      mixed(
        part('text/plain', 'See below.'),
        attached('pay_slip.docx', locked),
        attached('fees.xlsx', makeLocked('rights')),
        attached('pay_slip.docx', locked),
      ),
      { name: 'a.eml' },
    )
    const { pages } = await readDocument(source)
    expect(source.notes).toEqual([
      'The file pay_slip.docx within it is protected, by a password for example, and was not read.',
      'The file fees.xlsx within it is protected, by a password for example, and was not read.',
    ])
    expect(pages[0]?.markdown).toContain('- pay_slip.docx, ')
  })

  it('names an attachment that is damaged, locked or nested too deeply', async () => {
    let mail = mixed(part('text/plain', 'innermost'), attached('deep.txt', 'hidden treasure'))
    for (let depth = 0; depth < 8; depth += 1)
      mail = mixed(part('text/plain', `level ${depth}`), attached(`m${depth}.eml`, mail))
    const text = await read('a.eml', mail)
    expect(text).toContain('level 7')
    expect(text).not.toContain('hidden treasure')
    const broken = await read('a.eml', mixed(part('text/plain', 'x'), attached('bad.docx', 'PK\u0003\u0004 no zip')))
    expect(broken).toContain('- bad.docx, 1 kB')
    expect(broken).not.toContain('## Attachment:')
  })

  it('reads no more attached documents than one document may have', async () => {
    const many = Array.from({ length: 130 }, (_, at) => attached(`n${at}.txt`, `note ${at} here`))
    const text = await read('a.eml', mixed(part('text/plain', 'x'), ...many))
    expect(text.match(/## Attachment:/g)?.length).toBe(100)
    expect(text).toContain('- n129.txt')
  })

  it('shows the text beside HTML that holds none', async () => {
    const alternative = mixed(
      part('text/plain', 'The boat leaves at 14:10.'),
      part('text/html', '<body><img src=x></body>'),
    ).replace('multipart/mixed', 'multipart/alternative')
    expect(await read('a.eml', alternative)).toContain('The boat leaves at 14:10.')
  })

  it('shows an invitation, also one that was cancelled', async () => {
    const event = 'BEGIN:VEVENT\nSUMMARY:Budget talk\nLOCATION:Room Kestrel\nDTSTART:20260309T130000Z\nEND:VEVENT'
    const mail = mixed(
      part('text/plain', 'Invitation'),
      part('text/calendar; method=CANCEL', `BEGIN:VCALENDAR\nMETHOD:CANCEL\n${event}\nEND:VCALENDAR`),
    )
    expect(await read('a.eml', mail)).toContain(
      'This invitation was cancelled.\n\n## Budget talk\n\nStart: 2026-03-09 13:00 UTC\nLocation: Room Kestrel',
    )
  })
})

describe('a mail with attachments of other programs', () => {
  it('shows an invitation once that comes as a part and as a file', async () => {
    const event = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Budget talk\nEND:VEVENT\nEND:VCALENDAR'
    const text = await read(
      'a.eml',
      mixed(part('text/plain', 'x'), part('text/calendar', event), attached('invite.ics', event)),
    )
    expect(text.match(/Budget talk/g)).toHaveLength(1)
    expect(text).toContain('- invite.ics, 1 kB')
  })

  it('reads attached texts of other endings, such as logs', async () => {
    const mail = mixed(part('text/plain', 'x'), attached('pump.log', 'E4417 at 14:10', 'text/plain'))
    expect(await read('a.eml', mail)).toContain('## Attachment: pump.log\n\nE4417 at 14:10')
  })

  it.each([
    ['application/pkcs7-mime; smime-type=signed-data', false],
    ['application/x-pkcs7-mime', true],
    ['application/octet-stream', false],
  ])('that is signed as a whole is read: %s', async (type, isInPieces) => {
    const inner = mixed(part('text/plain', 'Berth seven closes at 18:40.'), attached('fees.csv', 'Ship,Fee\nDora,47\n'))
    const body = toSigned(inner.slice(HEADS.length), isInPieces).toString('base64')
    const heads = `Content-Type: ${type}\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=smime.p7m\n`
    expect(await read('a.eml', `${HEADS}${heads}\n${body}`)).toBe(
      '# Report\n\nFrom: Ada (ada@example.org)\n\nBerth seven closes at 18:40.\n\n' +
        '## Attachment: fees.csv\n\n| Ship | Fee |\n| --- | --- |\n| Dora | 47 |\n\n### Attachments\n\n- fees.csv, 1 kB',
    )
  })

  it.each([
    ['application/pkcs7-mime', toLocked().toString('base64')],
    ['application/pgp-encrypted', 'VmVyc2lvbjogMQ=='],
    ['application/x-microsoft-rpmsg-message', 'dugE'],
    ['text/plain', Buffer.from('-----BEGIN PGP MESSAGE-----\n\nhQ\n').toString('base64')],
  ])('that is encrypted says so once: %s', async (type, body) => {
    const notes: string[] = []
    const mail = mixed(part(type, body, 'Content-Transfer-Encoding: base64\n'), attached('smime.p7m', toLocked()))
    const { pages } = await readDocument({
      ...toSource(mail, { name: 'a.eml' }),
      onNote: (note) => void notes.push(note),
    })
    expect(notes).toStrictEqual(['Encrypted mail was not read, except for its heads.'])
    expect(pages[0]?.markdown).toContain('# Report')
  })

  it('names what is signed and damaged', async () => {
    const cut = toSigned('Content-Type: text/plain\n\nBerth seven').subarray(0, 60)
    expect(await read('a.eml', mixed(part('text/plain', 'x'), attached('smime.p7m', cut)))).toContain(
      '- smime.p7m, 1 kB',
    )
  })

  it('names what is signed in more pieces than any program writes', async () => {
    const signed = toSigned('Content-Type: text/plain\n\nBerth seven', true)
    const at = signed.indexOf(Buffer.from([0x24, 0x80])) + 2
    const empty = Buffer.alloc(1_200_000, Buffer.from([4, 0]))
    const many = Buffer.concat([signed.subarray(0, at), empty, signed.subarray(at)])
    const text = await read('a.eml', mixed(part('text/plain', 'x'), attached('smime.p7m', many)))
    expect(text).toContain('- smime.p7m, 1')
    expect(text).not.toContain('Berth seven')
  })

  it('reads what Outlook packed: the text and the files', async () => {
    const packed = toTnef({ text: 'The code is 3318.', file: { name: 'Größen.csv', bytes: 'Item;Price\nPump;4417\n' } })
    const text = await read('a.eml', mixed(part('text/plain', ''), attached('winmail.dat', packed)))
    expect(text).toContain('The code is 3318.')
    expect(text).toContain('## Attachment: Größen.csv\n\n| Item | Price |\n| --- | --- |\n| Pump | 4417 |')
    expect(text).toContain('- Größen.csv, 1 kB')
    const said = await read('a.eml', mixed(part('text/plain', 'Hello'), attached('winmail.dat', packed)))
    expect(said).not.toContain('3318')
    const cut = await read('a.eml', mixed(part('text/plain', 'Hello'), attached('winmail.dat', packed.subarray(0, 80))))
    expect(cut).toContain('- winmail.dat, 1 kB')
  })
})

describe('a mailbox', () => {
  it('gives its mails one after the other, with lines that begin like a separator', async () => {
    const text = await read(
      'all.mbox',
      inMailbox('One', '12 crates\n>From here on it rains.') + inMailbox('Two', 'From Kiel at 9'),
    )
    expect(text).toBe(
      '# One\n\nFrom: a@example.org\n\n12 crates\nFrom here on it rains.\n\n# Two\n\nFrom: a@example.org\n\nFrom Kiel at 9',
    )
  })

  it('goes on after a line that only begins like a separator', async () => {
    const text = await read('all.mbox', inMailbox('One', 'Closed.\n\nFrom here on the road is open at 10:30.'))
    expect(text).toContain('Closed.\n\nFrom here on the road is open at 10:30.')
  })

  it.each(['2026-01-05 09:00:00', 'Lun Gen  5 09:00:00 2026'])(
    'may have separators without an English day: %s',
    async (time) => {
      const mails = inMailbox('One', '12 crates') + inMailbox('Two', '9 crates')
      const text = await read('all.mbox', mails.replaceAll('Mon Jan  5 09:00:00 2026', time))
      expect(text).toBe('# One\n\nFrom: a@example.org\n\n12 crates\n\n# Two\n\nFrom: a@example.org\n\n9 crates')
    },
  )

  it('is refused when it holds no mail', async () => {
    await expect(read('all.mbox', 'Just a text.')).rejects.toMatchObject({ failure: 'broken' })
  })
})

describe('a calendar', () => {
  it('says when, where, who and how often', async () => {
    const calendar =
      'BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\nDTSTART:19701025T030000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n' +
      'BEGIN:VEVENT\r\nSUMMARY:Team\\, weekly\r\nDTSTART;TZID=Europe/Berlin:20260309T130000\r\nDTEND;TZID=Europe/Berlin:20260309T140000\r\n' +
      'ORGANIZER;CN="Ada, Berger":mailto:ada@example.org\r\nATTENDEE;PARTSTAT=DECLINED;CN=Bo:MAILTO:bo@example.org\r\n' +
      'RRULE:FREQ=WEEKLY;BYDAY=MO\r\nDESCRIPTION:First line\\nsecond lin\r\n e with a fold\r\n' +
      'BEGIN:VALARM\r\nDESCRIPTION:Alarm text\r\nEND:VALARM\r\nEND:VEVENT\r\n' +
      'BEGIN:VTODO\r\nSUMMARY:Pay\r\nDUE;VALUE=DATE:20260401\r\nEND:VTODO\r\nEND:VCALENDAR\r\n'
    expect(await read('a.ics', calendar)).toBe(
      '## Team, weekly\n\nStart: 2026-03-09 13:00 (Europe/Berlin)\nEnd: 2026-03-09 14:00 (Europe/Berlin)\n' +
        'Organizer: Ada, Berger (ada@example.org)\nAttendees: Bo (bo@example.org), declined\nRepeats: FREQ=WEEKLY;BYDAY=MO\n\n' +
        'First line\nsecond line with a fold\n\n## Pay\n\nEnd: 2026-04-01',
    )
  })

  it('ends on the last of its whole days, also where a program names that day', async () => {
    expect(await days('20260330', '20260401')).toBe('## Fair\n\nStart: 2026-03-30\nEnd: 2026-03-31')
    expect(await days('20260309', '20260310')).toContain('End: 2026-03-09')
    expect(await days('20260309', '20260309')).toContain('End: 2026-03-09')
  })

  it('shows a description that is HTML, and several exceptions of one line', async () => {
    const event = inCalendar(
      'SUMMARY:Talk',
      'DTSTART:20260309T130000Z',
      'EXDATE:20260316T130000Z,20260323T130000Z',
      'DESCRIPTION:<b>Booth 12</b><br>Bring <a href="https://example.org/plan">the plan</a>.\\nNot later',
    )
    expect(await read('a.ics', event)).toBe(
      '## Talk\n\nStart: 2026-03-09 13:00 UTC\nExcept: 2026-03-16 13:00 UTC, 2026-03-23 13:00 UTC\n\n' +
        '**Booth 12**\nBring [the plan](https://example.org/plan).\nNot later',
    )
    const plain = inCalendar('SUMMARY:Talk', 'DESCRIPTION:if a < b then <ada@example.org>')
    expect(await read('a.ics', plain)).toContain('if a < b then')
  })

  it('keeps addresses between angle brackets in a description that is HTML', async () => {
    const event = inCalendar('SUMMARY:Talk', 'DESCRIPTION:<b>Join</b> <https://zoom.example/j/1>')
    expect(await read('a.ics', event)).toContain('**Join** https://zoom.example/j/1')
  })

  it('may be folded within a letter', async () => {
    const bytes = Buffer.from(inCalendar('SUMMARY:Prüfung'))
    const at = bytes.indexOf('ü') + 1
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)])
    expect(await read('a.ics', folded)).toBe('## Prüfung')
  })

  it('is refused when it is none, and empty without events', async () => {
    await expect(read('a.ics', 'Hello')).rejects.toMatchObject({ failure: 'broken' })
    await expect(read('a.ics', 'BEGIN:VCALENDAR\nEND:VCALENDAR')).rejects.toMatchObject({ failure: 'empty' })
  })
})

describe('contacts', () => {
  it('have a section each, with labels of their numbers', async () => {
    const cards =
      'BEGIN:VCARD\nVERSION:3.0\nFN:Ines Marchetti\nORG:Harbour;Office\nitem1.TEL;TYPE=work,voice:+39 055 1234\nTEL;TYPE=cell:+39 333\n' +
      'ADR;TYPE=home:;;Via Roma 1;Firenze;;50100;Italy\nNOTE:Speaks\\nGerman\nEND:VCARD\n' +
      'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCr=\ngen\nTEL;WORK;FAX:123\nEND:VCARD\n'
    expect(await read('a.vcf', cards)).toBe(
      '## Ines Marchetti\n\nCompany: Harbour, Office\nPhone (work): +39 055 1234\nPhone (cell): +39 333\n' +
        'Address (home): Via Roma 1, Firenze, 50100, Italy\n\nSpeaks\nGerman\n\n## Jürgen Müller\n\nPhone (work, fax): 123',
    )
  })

  it('may cut a line twice: by its encoding and by the form of the file', async () => {
    const line = `NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Leiter f=C3=BCr=\r\n  den Hafen`
    expect(await read('a.vcf', card(`FN:Ada\r\n${line}`))).toContain('Leiter für den Hafen')
  })

  it('are read in the encoding that they name, and without one by their letters', async () => {
    const names = ['ISO-8859-1', 'windows-1252'].map((charset) =>
      card(`N;CHARSET=${charset};ENCODING=QUOTED-PRINTABLE:${escaped('Müller')};${escaped('Jörg')}`),
    )
    expect(await read('a.vcf', names.join(''))).toBe('## Jörg Müller\n\n## Jörg Müller')
    const bare = card(`N;ENCODING=QUOTED-PRINTABLE:${escaped('Müller')};${escaped('Jörg')}`)
    expect(await read('a.vcf', bare)).toBe('## Jörg Müller')
    // 山田 in Shift-JIS.
    expect(await read('a.vcf', Buffer.from(card('N;CHARSET=SHIFT_JIS:\u008eR\u0093c'), 'latin1'))).toBe('## 山田')
  })
})
