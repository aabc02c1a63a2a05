import { randomUUID } from 'node:crypto'
import type { Database } from '../../../src/postgres/database.ts'
import { hashServerToken } from '../../../src/store/servers/recording.ts'
import { addRows, type Given } from './rows.ts'
import { addTeam } from './teams.ts'

export type AddedServer = { id: number; teamId: number; token: string }

/** Columns of `servers`, and of `server_state`. Without a team, a new one gets the server; `token` is its plain text. */
export type NewServer = Given<'servers'> & { state?: Given<'server_state'> }

/** A server with the default thresholds that waits for its first report, and whose token no key opens. */
export async function addServer(db: Database, server: NewServer = {}): Promise<AddedServer> {
  return (await addServers(db, 1, () => server))[0] as AddedServer
}

/** Servers of one team, `count` of them, in the order of their ids. */
export async function addServers(
  db: Database,
  count: number,
  serverOf: (index: number) => NewServer = () => ({}),
): Promise<AddedServer[]> {
  const servers = Array.from({ length: count }, (_, index) => serverOf(index))
  const teamId = servers.every(({ team_id }) => team_id !== undefined) ? 0 : await addTeam(db)
  const tokens = servers.map(({ token }) => token ?? randomUUID())
  const rows = await addRows(
    db,
    'servers',
    servers.map(({ state, token, ...columns }, index) => ({
      name: 'Web',
      team_id: teamId,
      thresholds: '{}',
      token_hash: hashServerToken(tokens[index] as string),
      ...columns,
      token: '',
    })),
  )
  await addRows(
    db,
    'server_state',
    rows.map(({ id }, index) => ({ server_id: id, ...servers[index]?.state })),
  )
  return rows.map(({ id, team_id }, index) => ({ id, teamId: team_id, token: tokens[index] as string }))
}
