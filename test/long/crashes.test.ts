import { test } from 'node:test'
import { assertNothingLost } from '../service/processes/crashes.ts'

const KILLS = Number(process.env.CRASHES ?? 10)

/* The same as in every `npm test`, with more crashes. */
test(`no incident and no alert is lost or doubled over ${KILLS} crashes`, async (t) => {
  await assertNothingLost(t, KILLS)
})
