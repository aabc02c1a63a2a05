// npm test leaves this out: it kills a service again and again while it tells subscribers (a minute).
import { test } from 'node:test'
import { assertPublicationSurvives } from '../service/processes/publications.ts'

/* 10,000 and 50 take five minutes. */
const KILLS = Number(process.env.CRASHES ?? 10)
const SUBSCRIBERS = Number(process.env.SUBSCRIBERS ?? 1_000)

test(`${SUBSCRIBERS} subscribers are told once each over ${KILLS} crashes`, async (t) => {
  await assertPublicationSurvives(t, { subscribers: SUBSCRIBERS, kills: KILLS })
})
