import { sql } from 'kysely'
import type { Language } from '../../core/language/language.ts'
import type { PlanName } from '../../core/teams/plan.ts'
import type { TeamUsage } from '../../core/teams/team.ts'
import type { TeamLanguage, TeamLanguagePatch } from '../../core/teams/team-language.ts'
import type { Query } from '../../postgres/database.ts'
import { nextId } from '../../postgres/next-id.ts'
import { changeNotification } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'

const SIGNING_SECRET = 'teams.signing_secret'

export async function insertTeam(
  query: Query,
  vault: Vault,
  team: { name: string; plan: PlanName; language?: Language; signingSecret: string },
): Promise<number> {
  const id = await nextId(query, 'teams')
  await query
    .insertInto('teams')
    .values({
      id,
      name: team.name,
      plan: team.plan,
      ...(team.language && { language: team.language }),
      signing_secret: vault.seal(team.signingSecret, SIGNING_SECRET, id),
    })
    .execute()
  return id
}

export async function findTeam(query: Query, teamId: number) {
  return query
    .selectFrom('teams')
    .select(['id', 'name', 'plan', 'language', 'created_at'])
    .where('id', '=', teamId)
    .executeTakeFirst()
}

/** Locks the team until the transaction ends, so that two creations cannot both use the last slot of its plan. */
export async function lockTeam(query: Query, teamId: number): Promise<{ plan: PlanName }> {
  return query
    .selectFrom('teams')
    .select('plan')
    .where('id', '=', teamId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function countMonitors(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('monitors')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function readUsage(query: Query, teamId: number): Promise<TeamUsage> {
  const row = await query
    .selectFrom('teams as t')
    .where('t.id', '=', teamId)
    .select((eb) => [
      't.id',
      't.name',
      't.plan',
      't.created_at',
      eb
        .selectFrom('monitors')
        .whereRef('team_id', '=', 't.id')
        .where('deleted_at', 'is', null)
        .select(sql<number>`count(*)`.as('n'))
        .as('monitors'),
      eb
        .selectFrom('members')
        .whereRef('team_id', '=', 't.id')
        .select(sql<number>`count(*)`.as('n'))
        .as('members'),
      eb
        .selectFrom('contacts')
        .whereRef('team_id', '=', 't.id')
        .select(sql<number>`count(*)`.as('n'))
        .as('contacts'),
    ])
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    monitorsCount: row.monitors ?? 0,
    membersCount: row.members ?? 0,
    contactsCount: row.contacts ?? 0,
    createdAt: row.created_at,
  }
}

export async function updatePlan(query: Query, teamId: number, plan: PlanName): Promise<boolean> {
  const row = await query
    .updateTable('teams')
    .set({ plan })
    .where('id', '=', teamId)
    .returning(['id', changeNotification(teamId, 'team').as('notified')])
    .executeTakeFirst()
  return row !== undefined
}

export async function renameTeam(query: Query, teamId: number, name: string): Promise<void> {
  await query
    .updateTable('teams')
    .set({ name })
    .where('id', '=', teamId)
    .returning(changeNotification(teamId, 'team').as('notified'))
    .execute()
}

export async function readTeamLanguage(query: Query, teamId: number): Promise<TeamLanguage> {
  return query
    .selectFrom('teams')
    .select(['language', 'time_zone'])
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow()
}

export async function changeTeamLanguage(
  query: Query,
  teamId: number,
  changes: TeamLanguagePatch,
): Promise<void> {
  await query
    .updateTable('teams')
    .set(changes)
    .where('id', '=', teamId)
    .returning(changeNotification(teamId, 'team').as('notified'))
    .execute()
}

export async function readSigningSecret(query: Query, vault: Vault, teamId: number): Promise<string | null> {
  const row = await query
    .selectFrom('teams')
    .select('signing_secret')
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row ? openSigningSecret(row.signing_secret, teamId, vault) : null
}

export async function updateSigningSecret(
  query: Query,
  vault: Vault,
  teamId: number,
  secret: string,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('teams')
    .set({ signing_secret: vault.seal(secret, SIGNING_SECRET, teamId) })
    .where('id', '=', teamId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Plans in use, which determine how long history must be kept. */
export async function plansInUse(query: Query): Promise<PlanName[]> {
  const rows = await query.selectFrom('teams').select('plan').distinct().execute()
  return rows.map(({ plan }) => plan)
}

export function openSigningSecret(sealed: string, teamId: number, vault: Vault): string {
  return vault.open(sealed, SIGNING_SECRET, teamId)
}

/** Whether any secret is stored. Throws if the key does not open it. */
export async function openAnySigningSecret(query: Query, vault: Vault): Promise<boolean> {
  const row = await query.selectFrom('teams').select(['id', 'signing_secret']).limit(1).executeTakeFirst()
  if (row) openSigningSecret(row.signing_secret, row.id, vault)
  return row !== undefined
}
