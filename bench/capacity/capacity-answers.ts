import { setTimeout as delay } from 'node:timers/promises'
import type { TestService } from '../../test/support/services/service.ts'
import { signIn } from '../../test/support/services/signed-in.ts'
import { type KeepAliveConnection, openConnection, requestText } from '../support/keep-alive-client.ts'

/** Each may ask 60 times a minute. */
const VIEWERS = 8
const ASK_EVERY_MS = 250

/** How long answers took, in milliseconds, and how many were none. */
export type Answers = { listMs: number[]; overviewMs: number[]; failed: number }

/** Asks for a page of a large team's monitors by the API, and for its overview as the dashboard does. */
export async function openDashboard(service: TestService, teamId: number) {
  const { browser } = await signIn(service, teamId)
  const tokens: string[] = []
  for (let n = 0; n < VIEWERS; n++) tokens.push(await service.createToken(teamId, 'viewer'))
  const port = Number(new URL(service.url).port)
  const overview = requestText('GET', `/app/teams/${teamId}/overview`, { cookie: browser.cookie() })
  let asked = 0

  /** One after the other, until it is told to stop. */
  return async function askUntil(isOver: () => boolean, everyMs = ASK_EVERY_MS): Promise<Answers> {
    const answers: Answers = { listMs: [], overviewMs: [], failed: 0 }
    // The service ends connections that are idle for long.
    const connection = await openConnection(port)
    while (!isOver()) {
      const token = tokens[asked++ % tokens.length]
      const list = requestText('GET', '/api/v1/monitors', { authorization: `Bearer ${token}` })
      await time(connection, list, answers.listMs, answers)
      await time(connection, overview, answers.overviewMs, answers)
      await delay(everyMs)
    }
    connection.close()
    return answers
  }
}

async function time(connection: KeepAliveConnection, request: string, tookMs: number[], answers: Answers) {
  const began = performance.now()
  const { status } = await connection.send(request)
  if (status === 200) tookMs.push(performance.now() - began)
  else answers.failed++
}
