// npm test leaves this out: it kills a service ten times under load, and waits for each next start (a minute).
import { test } from 'node:test'
import { assertNothingLost } from '../service/processes/crashes.ts'

const KILLS = Number(process.env.CRASHES ?? 10)

/* Kills alone; test/long/processes.test.ts freezes as well. */
test(`no incident and no alert is lost or doubled over ${KILLS} crashes`, async (t) => {
  await assertNothingLost(t, KILLS)
})
