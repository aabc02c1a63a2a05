import { ReportRange } from '../../src/core/history/report-range.ts'
import { startTestService } from '../../test/support/services/service.ts'
import { signIn } from '../../test/support/services/signed-in.ts'
import { closedLoop } from '../support/closed-loop.ts'
import { fillTeam } from '../support/dashboard-team.ts'
import { type KeepAliveConnection, openConnection, requestText } from '../support/keep-alive-client.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { percentile } from '../support/statistics.ts'
import { alone, type Row } from '../support/table.ts'

const MONITORS = 5_000
/** Monitors whose pages are opened. */
const OPENED = 50
const PER_PAGE = 25

/** How long the dashboard's requests take in a large team, one at a time, by session. */
export async function benchDashboard(scope: Scope, options: Options): Promise<Row[]> {
  progress('dashboard: starting the service')
  // No part that checks: what is measured is the answer.
  const service = await startTestService({ ROLES: 'api' })
  scope.after(() => service.close())
  const { id: teamId } = await service.createTeam()
  const { browser } = await signIn(service, teamId)
  const opened = await fillTeam(service.services, teamId, MONITORS, OPENED, (what) => {
    progress(`dashboard: ${what}`)
  })
  const connection = await openConnection(Number(new URL(service.url).port))
  scope.after(async () => connection.close())
  const ask = async (path: string) => {
    const request = requestText('GET', `/app/teams/${teamId}${path}`, { cookie: browser.cookie() })
    const { status, body } = await (connection as KeepAliveConnection).send(request)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
  }
  let turn = 0
  const next = () => opened[turn++ % opened.length] as number
  const requests: [name: string, work: () => Promise<unknown>][] = [
    ['overview', () => ask('/overview')],
    ['list, first page', () => ask('/monitor-rows')],
    ['list, search', () => ask('/monitor-rows?search=monitor%2049')],
    ['list, last page', () => ask(`/monitor-rows?page=${MONITORS / PER_PAGE}`)],
    ['list, 100 a page', () => ask('/monitor-rows?per_page=100')],
    ...ReportRange.options.map((range): [string, () => Promise<unknown>] => [
      `report of ${range}`,
      () => ask(`/monitors/${next()}/report?range=${range}`),
    ]),
    [
      'monitor page: monitor, report of 24h and checks',
      async () => {
        const id = next()
        for (const path of ['', '/report?range=24h', '/check-details']) await ask(`/monitors/${id}${path}`)
      },
    ],
    ['checks that failed', () => ask(`/monitors/${next()}/check-details?status=down`)],
  ]
  const rows: Row[] = []
  for (const [name, work] of requests) rows.push(...(await measure(name, work, options)))
  return rows
}

async function measure(name: string, work: () => Promise<unknown>, options: Options): Promise<Row[]> {
  progress(`dashboard: ${name}`)
  for (let warm = 0; warm < 10; warm++) await work()
  const { latenciesMs } = await closedLoop(1, options.rounds * (options.roundSeconds / 4), async () => {
    await work()
  })
  const row = (what: string, value: number) =>
    alone(`Dashboard of ${MONITORS}: ${name}, ${what}`, 'ms', [value])
  return [
    row('p50', percentile(latenciesMs, 0.5)),
    row('p95', percentile(latenciesMs, 0.95)),
    row('max', Math.max(...latenciesMs)),
  ]
}
