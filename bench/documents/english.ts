/** Papers of Aldervik Marine, a made-up maker of harbour instruments. A `## ` heading begins a page, a slide or a sheet. */
export const english: Readonly<Record<string, string>> = {
  'leave-policy.pdf': `Leave policy
## Annual leave
Every full-time employee of Aldervik Marine is granted thirty-one days of annual leave per calendar year. Part-time employees receive a share in proportion to their contract. Requests are entered in the Tidebook portal at least two weeks ahead and are approved by the team lead.
## Carry-over
Up to eight unused days may be carried into the next year. Whatever has not been taken by the last Friday of April is forfeited without payment. An extension is possible only after a long illness.
## Parental leave
Parents receive twenty-two weeks of paid leave after a birth or an adoption. The weeks can be split into three blocks within the first two years. The People team keeps the position open during that time.
## Sick days
From the fourth day of illness a certificate of a physician is required. It is uploaded to the Tidebook portal; nobody sends medical details by mail. Wages are continued for ten weeks.`,
  'travel-expenses.pdf': `Travel and expenses
## Booking trains and flights
Journeys under six hundred kilometres are made by rail, second class. Flights are booked through the Gullwing agency and need the approval of the cost centre owner. Tickets bought privately are refunded only in emergencies.
## Hotels
The ceiling for a hotel room is one hundred and forty-five euros a night, breakfast included. In Oslo, Zurich and Geneva it is two hundred and ten euros. Rooms are cancelled one day ahead where plans change.
## Daily allowance
For trips of more than eight hours a flat meal allowance of nineteen euros is paid, and thirty-eight euros for whole days abroad. Meals paid for by a customer are deducted.
## Submitting receipts
Receipts are photographed and handed in through the Cormorant app within thirty days after the return. Reimbursement reaches the bank account with the next payroll run. Missing receipts need a signed statement.`,
  'it-security-handbook.pdf': `IT security handbook
## Passwords
A passphrase has at least sixteen characters and is kept in the Lockfish vault. Sharing it with a colleague, even for a minute, is not allowed. The vault asks for a new one after every breach report.
## Lost devices
A lost or stolen laptop is reported to the duty phone 4711 within two hours. The device is then wiped remotely, and a loan computer is handed out at the front desk in building C.
## Phishing
Suspicious mails are forwarded with the red Report button and never answered. Each quarter the security team sends a drill; whoever clicks its link takes a twenty minute course.
## Remote access
From outside the office the network is reached through the Heron VPN with a hardware token. Sessions end after nine hours. Public hotspots are used only with the VPN switched on.
## Backups
Servers are copied every night at a quarter past two to the vault in Bergen. Copies are kept for ninety days, and a restore is rehearsed every second month.`,
  'onboarding-guide.docx': `Onboarding guide
## First day
New colleagues meet their buddy at the north gate at half past eight. They receive badge, laptop and the keys of a locker. Lunch on the first day is on the house in the canteen Kombüse.
## First month
Within four weeks every newcomer visits the test basin, the calibration laboratory and the repair dock. The buddy notes what was unclear in the onboarding notebook.
## Probation
The trial period lasts five months. A review takes place after ten weeks, with the lead and someone from the People team. During this period both sides may give notice with two weeks.
## Training budget
Each employee disposes of one thousand eight hundred euros a year for courses and books. Language classes are paid in addition, up to two evenings a week.`,
  'tidegauge-t40-manual.pdf': `Tide gauge T40: operating manual
## Mounting
The T40 is fastened to a quay wall with four stainless M12 bolts, its vent pointing upwards. The sensor head must hang at least eighty centimetres below the lowest low water.
## Power supply
The gauge runs on twelve to thirty volts direct current and draws one point six watts. The lithium buffer battery bridges up to fifty-five hours without mains.
## Calibration
Calibration is due every eighteen months. It is done with the brass reference weight in the basin; the procedure takes forty minutes and ends with the seal of the laboratory.
## Error codes
Code E17 means that the vent tube is blocked: dry it and replace the filter cartridge. Code E23 reports a broken strain gauge, and the head has to be sent to the repair dock.
## Data export
Readings are stored every six seconds and kept for four hundred days. They leave the device as NMEA sentences over RS-422 or as files over the maintenance port.`,
  'warranty-terms.docx': `Warranty terms
## Duration
Aldervik grants a warranty of thirty-six months from delivery. For buoys exposed to ice it is eighteen months. Wear parts such as gaskets and filters are excluded.
## Claims
A claim is filed with the serial number and two photographs through the service desk. The answer comes within five working days. Devices opened by third parties lose the warranty.
## Returns
Goods travel in their original crate, at our expense, to the repair dock in Esbjerg. Each crate carries the yellow RMA sheet; without it the parcel is turned away.`,
  'harbour-radar-pitch.pptx': `Harbour radar Osprey
## The problem
Small harbours lose nine hours a month to fog. Pilots rely on voice reports, and collisions at the pier cost insurers four million euros a year.
## Our answer
Osprey is a solid state radar with a range of eleven nautical miles. It sees a kayak at two miles and needs no rotating antenna.
## Pilot customers
Svolvær, Kinsale and Cuxhaven run a trial since March. In Kinsale delays fell by forty-one percent within a quarter.
## Pricing
The device costs twenty-three thousand euros, and the software two hundred and ninety euros a month. Harbours with fewer than fifty berths get a discount of a fifth.`,
  'board-minutes-2026-03.md': `Minutes of the board, March 2026
## Attendance
Present were Ines Falkner (chair), Tomas Rehn, Aiko Sato and Per Lindqvist. Gerda Holm sent her apologies. The minutes were taken by Ruben Adeyemi.
## Finance
Revenue of the first quarter reached eleven point four million euros, six percent above plan. The board released two million for a second calibration basin.
## Decisions
The plant in Tarifa will be closed by the end of November, and its nineteen employees are offered posts in Vigo. The dividend stays at forty cents.
## Next meeting
The next session takes place on the ninth of June in Gothenburg, with a visit to the shipyard beforehand.`,
  'incident-report-0417.md': `Incident report 0417
## What happened
On the seventeenth of April the reading service was down for three hours and twelve minutes. Forty-four harbours saw stale water levels on their displays.
## Root cause
An expired certificate of the message broker stopped all gauges from connecting. The reminder had gone to the mailbox of someone who had left the company.
## Measures
Certificates are renewed by a robot twenty days ahead from now on. A second alarm goes to the duty phone, and the runbook has a new chapter on brokers.`,
  'release-notes-5.txt': `Release notes Tidebook 5
## New in 5.0
Tidebook 5 brings offline forms, a dark theme and an import of calendars from Nextcloud. The old reporting screen is gone.
## Changed
Attachments may now be up to sixty megabytes. The session timeout was raised from fifteen to forty minutes.
## Fixed
Umlauts in file names no longer break the download. Printing on A3 paper works again.
## Known problems
On Firefox ESR the signature field stays empty until the page is reloaded. A fix is planned for version 5.2.`,
  'support-contract-kinsale.eml': `Support contract Kinsale
## Service hours
We confirm that the help line for the port of Kinsale is staffed from six in the morning to ten in the evening, Sundays included. Outside of these hours an answering machine takes the call.
## Response times
An outage of the radar is taken up within forty-five minutes, a minor fault within one working day. Spare parts leave Esbjerg by courier the same evening.
## Fee
The yearly fee is seventeen thousand six hundred euros, payable in two halves in January and July. It rises with the harbour price index.`,
  'suppliers.csv': `Supplier;Item;Lead time;Contact
Brassworks Odense;brass reference weights;6 weeks;Mette Krogh
Nordlicht Optik;lens domes for buoys;11 weeks;Jonas Pfeiffer
Kestrel Cables;underwater cable RG-9;4 weeks;Siobhan Daly
Hanse Verpackung;export crates;9 days;Ulf Brandt
Sakai Sensors;strain gauges SG-3;14 weeks;Yuki Tanabe
Polar Batteries;lithium buffer cells;5 weeks;Anders Vik`,
  'inventory-2026.xlsx': `Inventory 2026
## Warehouse Esbjerg
Item | Count | Shelf
Filter cartridge F2 | 640 | A-14
Buoy shell 90 cm | 37 | D-02
Radar mast kit | 12 | D-09
## Warehouse Vigo
Item | Count | Shelf
Mooring chain 20 m | 85 | K-01
Solar panel 60 W | 210 | K-07
Anchor stone 400 kg | 18 | yard`,
  'sustainability-report.epub': `Sustainability report
## Energy
The plant in Esbjerg draws sixty-eight percent of its electricity from its own roof. The remaining part is bought as wind power from Vattenmark.
## Waste
Scrap brass is melted again by Brassworks Odense. Since 2024 no antifouling paint with copper has been used, and packaging is taken back.
## Commuting
Whoever cycles to work is paid eleven cents a kilometre. A shuttle bus runs between the station and the north gate every twenty minutes in the rush hours.
## Targets
Emissions shall be halved by 2031, measured against 2022. Freight by air is to disappear altogether by 2029.`,
  'meeting-room-rules.html': `Meeting rooms
## Booking
Rooms are booked in the calendar for three hours at most. A room that nobody enters within twelve minutes is released automatically.
## Equipment
The Lighthouse room has a camera for twenty people, and the Galley a whiteboard on every wall. Adapters lie in the drawer under the screen.
## Catering
Coffee and fruit are ordered by ten o'clock on the day before from the canteen. For evening events the caretaker, Mr. Okafor, has to be told.`,
}
