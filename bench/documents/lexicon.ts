/**
 * Knowledge of a good encoder: words with the same meaning, within one language and across. Each line is one meaning; a
 * word belongs to it by its beginning. Written for these papers, so it tests the pipeline, not vectors.
 */
const lines = `
leave vacation holiday urlaub congé vacacion 年假 休暇 отпуск
leftover left-over left unused carried carry verfäll 未使用
forfeited forfeit lose lapse
doctor doctor’s physician krank
illness sick note certificate
dinner meal allowance meals lunch
journey trips trip travel
plane flight flights
nearby kilometres
stolen taken lost
laptop computer
email mails suspicious strange phishing
quit notice trial probation newcomer
blackout mains
survive bridges bridge
repaired broken warranty
free charge grants
save discount
little fewer
marina harbours berths
directors board
session present attendance
come apologies
again alarm renewed
outage measures robot
phone telephone line staffed
night evening outside
dies outage
ireland kinsale
current electric electricity
factory plant
booked booking
space room rooms
late enters twelve
homeoffice hause remote mobiles
ruhestand altersvorsorge pensionskasse rente
firma unternehmen
weizen gluten
vertrage unverträglichkeiten
essen gerichte gericht
répondre réponse
courriels message courriel
soir dix-neuf
autoriza decide firma
gasto euros ofertas
grande encima
russland отпуск севера
beschäftigten работникам работника employees
urlaubstage отпуск календарных
dormitory 宿舍 港湾路
rent 租金
earthquake 地震 揺れ
visitors visiteurs visitor
vest gilet
french visiteurs
canteen kantine kombüse
close closes schließt schluss
anchor 锚链
chain 锚链
depth 水深
buoy buoys 浮标
wasserdichtigkeit 防水 浸泡
geprüft 测试 小时
muster 传感器
parcel parcels δέματα
heavy κιλά τριάντα
greece αποθήκη παραλαμβάνονται
invoices invoice facturas
suppliers’ proveedor
soon días
paid pagan pagos
casque الخوذات الخوذة
changer تُستبدل تستبدل
`

export const meanings: readonly (readonly string[])[] = lines
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
