export const german: Readonly<Record<string, string>> = {
  'arbeitszeit.pdf': `Arbeitszeit
## Gleitzeit
Die Kernzeit liegt zwischen zehn und fünfzehn Uhr. Davor und danach teilt sich jede und jeder die Zeit selbst ein. Das Konto darf höchstens vierzig Stunden im Plus und zwölf im Minus stehen.
## Überstunden
Überstunden ordnet die Teamleitung schriftlich an. Sie werden innerhalb von sechs Monaten abgefeiert oder mit einem Zuschlag von einem Viertel ausgezahlt.
## Mobiles Arbeiten
Bis zu neun Tage im Monat darf von zu Hause gearbeitet werden. Aus dem Ausland ist es höchstens zwanzig Tage im Jahr und nur nach Rücksprache mit der Personalstelle möglich.
## Rufbereitschaft
Wer Rufbereitschaft hat, muss binnen dreißig Minuten am Rechner sein. Dafür gibt es eine Pauschale von fünfundachtzig Euro je Wochenende.`,
  'brandschutz.docx': `Brandschutzordnung
## Im Brandfall
Ruhe bewahren, den Druckknopfmelder einschlagen und die Werkfeuerwehr unter der Durchwahl 112 rufen. Aufzüge werden nicht benutzt.
## Sammelplatz
Alle sammeln sich auf dem Parkplatz hinter der Lackiererei. Die Räumungshelfer tragen orange Westen und zählen ihre Abteilung durch.
## Feuerlöscher
In jedem Flur hängen zwei Schaumlöscher, in der Galvanik Löscher mit Kohlendioxid. Sie werden alle zwei Jahre geprüft; zuständig ist Herr Wiechmann.`,
  'kantine.md': `Kantine Kombüse
## Öffnungszeiten
Die Kombüse öffnet um sieben Uhr für das Frühstück und schließt um Viertel nach zwei. Am Freitag ist schon um eins Schluss.
## Preise
Das Tagesgericht kostet fünf Euro vierzig, für Gäste acht Euro. Bezahlt wird mit dem Werksausweis; aufladen lässt er sich am Automaten im Foyer.
## Unverträglichkeiten
Gerichte ohne Gluten tragen ein blaues Fähnchen. Wer eine Nussallergie hat, meldet sich bei der Köchin Frau Demirel.`,
  'kalibrierlabor.odt': `Kalibrierlabor
## Zutritt
Das Labor betreten nur Beschäftigte mit Unterweisung und Haarnetz. Die Schleuse öffnet mit dem grünen Chip, den die Laborleitung ausgibt.
## Klima
Die Temperatur wird auf zwanzig Grad gehalten, mit einer Abweichung von höchstens drei Zehntel. Über fünfundfünfzig Prozent Luftfeuchte werden Messungen abgebrochen.
## Prüfprotokoll
Jedes Protokoll wird von zwei Personen unterschrieben und zwölf Jahre im Archivkeller aufbewahrt. Abweichungen über zwei Millimeter führen zur Sperrung des Geräts.`,
  'betriebsrente.pdf': `Betriebliche Altersvorsorge
## Anspruch
Nach drei Dienstjahren zahlt das Unternehmen vier Prozent des Bruttolohns in die Pensionskasse Leuchtturm ein. Eigene Beiträge werden bis zu sechs Prozent verdoppelt.
## Auszahlung
Die Rente beginnt mit siebenundsechzig Jahren. Auf Wunsch wird ein Drittel des Kapitals auf einmal ausgezahlt, der Rest monatlich.
## Wechsel des Arbeitgebers
Das Guthaben kann innerhalb eines Jahres zu einer anderen Kasse mitgenommen werden. Der Antrag geht an Frau Petersen in der Personalstelle.`,
  'messeplanung.xlsx': `Messeplanung
## Termine
Messe | Ort | Beginn
SMM | Hamburg | 8. September
Nor-Fishing | Trondheim | 18. August
Posidonia | Athen | 1. Juni
## Standpersonal
Messe | Leitung | Hotel
SMM | Birte Jansen | Hafenkrone
Nor-Fishing | Olav Moe | Nidelven
Posidonia | Eleni Vasiliou | Piräus Stern`,
}
