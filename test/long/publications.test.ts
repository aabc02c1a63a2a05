import { test } from 'node:test'
import { assertPublicationSurvives } from '../service/processes/publications.ts'

const KILLS = Number(process.env.CRASHES ?? 50)
const SUBSCRIBERS = 10_000

/* The same as in every `npm test`, with more of both. */
test(`${SUBSCRIBERS} subscribers are told once each over ${KILLS} crashes`, async (t) => {
  await assertPublicationSurvives(t, { subscribers: SUBSCRIBERS, kills: KILLS })
})
