import { randomBytes } from 'node:crypto'
import type { Database } from '../../../src/postgres/database.ts'
import { addRow, addRows, type Given } from './rows.ts'

/** A team on the business plan, whose signing secret no key opens. */
export async function addTeam(db: Database, columns: Given<'teams'> = {}): Promise<number> {
  const team = { name: 'Acme', plan: 'business' as const, signing_secret: '', ...columns }
  return (await addRow(db, 'teams', team)).id
}

/** A person without a password, and without a team unless one is given, whose administrator they become. */
export async function addPerson(
  db: Database,
  columns: Given<'users'> = {},
  membership?: { teamId: number } & Given<'members'>,
): Promise<number> {
  const name = columns.name ?? 'Ada'
  const email = `${name.toLowerCase()}@example.com`
  const { id } = await addRow(db, 'users', { email, ...columns, name })
  if (membership) {
    const { teamId, ...given } = membership
    await addRow(db, 'members', { role: 'admin', ...given, team_id: teamId, user_id: id })
  }
  return id
}

type NewToken = Given<'tokens'> & { team_id: number | null; user_id: number }

/** API tokens that nobody knows, in the order given. */
export async function addTokens(db: Database, tokens: NewToken[]): Promise<number[]> {
  const rows = tokens.map((columns) => ({
    name: 'deploy',
    token_hash: randomBytes(32),
    ending: 'aaaa',
    ...columns,
  }))
  return (await addRows(db, 'tokens', rows)).map(({ id }) => id)
}
