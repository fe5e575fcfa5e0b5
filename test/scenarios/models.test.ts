import { readConfig } from '#src/config.ts'
import { diagnose } from '#operate/doctor.ts'
import { ferry } from './drops.ts'
import { scenario } from './scenario.ts'

const dayIn = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
const [SOON, LATE] = [dayIn(30), dayIn(200)]

scenario(
  'a model that its server shuts down soon is named at each start and by the doctor, and answers until then',
  {
    on: ['web'],
    killedOn: 'web',
    shutdownDates: { 'double-chat': SOON, 'double-embed': SOON, 'double-whisper': LATE },
  },
  async ({ footbridge, env, ada, rough, errors, expect }) => {
    await ada.drops(ferry)
    await ada.sees(/ferry\.md.*ready/)
    await ada.asks('From which pier does the ferry leave?')
    await ada.seesAnswer(/from pier seven\. ?\[1\]/)

    const starts = footbridge.output.said.filter((line) => line.startsWith('Answers'))
    expect(starts.length).toBeGreaterThan(Number(rough))
    for (const line of starts)
      expect(line).toContain(`the server shuts down double-chat on ${SOON}: set another model before that day`)
    const findings = (await diagnose(readConfig(env))).filter(({ text }) => text.includes('shuts down'))
    expect(findings).toEqual([
      { ok: false, text: `the model server shuts down double-chat on ${SOON}: set another model before that day` },
      { ok: true, text: `the model server shuts down models that people may have chosen: double-embed on ${SOON}` },
    ])
    expect(errors()).toEqual([])
  },
)
