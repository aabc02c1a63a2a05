import { contract, type OperationId } from '../../../src/contract/contract.ts'
import { CSV_LISTS } from '../../../src/core/reports/csv-list.ts'
import { TOOLS } from '../../../src/mcp/tools.ts'
import { caseOf, OPERATION_IDS } from '../../support/access/cases.ts'
import type { Make } from '../../support/access/team-records.ts'
import type { Living, Source } from '../living.ts'

/** Every operation at each of its doors: the dashboard's, the API's and that of AI clients. */
export function operationSources(ours: Make): Source[] {
  const { team, service, people } = ours
  /** A user of its own each: limits are per user. */
  const bearer = async () => ({ authorization: `Bearer ${await service.createToken(team.id, 'owner')}` })

  const fromDashboard = OPERATION_IDS.map((id) => async (): Promise<Living> => {
    const { operation, path, body } = await caseOf(id, ours)
    const { cookie } = await doerOf(id)
    const headers = { origin: service.url, cookie: cookie() }
    return { name: id, method: operation.method, path: `/app/teams/${team.id}${path}`, headers, body }
  })

  /** A person who leaves the team is not there for the others. */
  async function doerOf(id: OperationId) {
    if (id !== 'leaveTeam') return team.owner
    const leaving = await people.member(team.id, 'viewer')
    await leaving.signIn()
    return leaving
  }

  const asCsv = CSV_LISTS.map((list) => async (): Promise<Living> => {
    const headers = { origin: service.url, cookie: team.owner.cookie() }
    return {
      name: `CSV ${list}`,
      method: 'GET',
      path: `/app/teams/${team.id}/csv/${list}${await csvQuery(list)}`,
      headers,
    }
  })

  async function csvQuery(list: (typeof CSV_LISTS)[number]): Promise<string> {
    if (list === 'report') return '?from=2026-11-01&to=2026-11-07&zone=Europe/Berlin'
    return list === 'checks' ? `?monitor=${await ours('monitor')}` : ''
  }

  const byApi = OPERATION_IDS.filter((id) => id in contract).map((id) => async (): Promise<Living> => {
    const { operation, path, body } = await caseOf(id, ours)
    const headers = await bearer()
    return { name: `API ${id}`, method: operation.method, path: `/api/v1${path}`, headers, body }
  })

  const message = (method: string, params: unknown, headers: Record<string, string>): Living => ({
    name: `MCP ${method}`,
    method: 'POST',
    path: '/mcp',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  const byTool = [...TOOLS.values()].flatMap(({ name, operations }) =>
    operations.map(({ id, record: named }) => async (): Promise<Living> => {
      const { record, query, body } = await caseOf(id, ours)
      const sent = {
        ...(named && { [named.argument]: record }),
        ...Object.fromEntries(query),
        ...(body as object),
      }
      const call = message('tools/call', { name, arguments: sent }, await bearer())
      return { ...call, name: `MCP ${name}` }
    }),
  )
  const HELLO = {
    ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }
  const toServer = (
    [
      ['tools/list', {}],
      ['initialize', HELLO],
    ] as const
  ).map(
    ([method, params]) =>
      async () =>
        message(method, params, await bearer()),
  )

  const teamMetrics = async (): Promise<Living> => ({
    ...{ name: 'metrics of a team', method: 'GET', path: '/api/v1/metrics', headers: await bearer() },
  })
  const live = async (): Promise<Living> => ({
    ...{ name: 'live stream', method: 'GET', path: `/app/teams/${team.id}/events` },
    headers: { origin: service.url, cookie: team.owner.cookie() },
  })
  return [...fromDashboard, ...asCsv, ...byApi, ...byTool, ...toServer, teamMetrics, live]
}
