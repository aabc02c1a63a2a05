import type { FlapRule } from '../../core/alerting/flapping.ts'
import { putLast } from '../../core/bounded-map.ts'
import type { Language } from '../../core/language/language.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import { type Condition, isOfHosted, type ThresholdChanges } from '../../core/servers/condition.ts'
import type { Trends } from '../../core/servers/disk-trend.ts'
import type { Hosted } from '../../core/servers/hosted.ts'
import type { Machine, OtherMachine } from '../../core/servers/machine-report.ts'
import type { Sample } from '../../core/servers/series.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'
import { FLAP_RULE } from '../alerting/flaps.ts'
import { hashSecret } from '../sealing/secret-addresses.ts'

/** The hot path of servers: named statements over arrays, with one round trip per batch. */

export function hashServerToken(token: string): Buffer {
  return hashSecret('server', token)
}

export type TokenServer = { serverId: number; teamId: number; name: string }

/** The active server of a token; null if there is none. */
export async function findServerByToken(query: Query, token: string): Promise<TokenServer | null> {
  const row = await query
    .selectFrom('servers')
    .select(['id as serverId', 'team_id as teamId', 'name'])
    .where('token_hash', '=', hashServerToken(token))
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Tokens that are remembered at most; the one that was used longest ago goes first. */
const MAX_REMEMBERED = 100_000

export type ServerTokens = {
  /** Whether an active server has the token, or had it when it was last asked for: the recorder looks again. */
  isKnown(hash: Buffer): Promise<boolean>
  /** The recorder has found no active server. */
  forget(hash: Buffer): void
}

/** Spares reports the look-up of their token, and us the reading of what comes with a wrong one. */
export function createServerTokens({ pool }: Database): ServerTokens {
  const known = new Map<string, true>()
  const keyOf = (hash: Buffer) => hash.toString('base64')
  const lookUp = gather(async (hashes: Buffer[]) => {
    // OFFSET 0 keeps the conditions out of the look-up, so that each hash uses the index, whatever the statistics suggest.
    const { rows } = await pool.query<{ number: number }>({
      name: 'find-server-tokens',
      text: `SELECT asked.number
             FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, number)
             CROSS JOIN LATERAL (SELECT is_active, deleted_at FROM servers WHERE token_hash = asked.hash OFFSET 0) s
             WHERE s.is_active AND s.deleted_at IS NULL`,
      values: [hashes],
    })
    const found = new Set(rows.map(({ number }) => number))
    return hashes.map((_, index) => found.has(index + 1))
  })
  return {
    async isKnown(hash) {
      const key = keyOf(hash)
      const isKnown = known.has(key) || (await lookUp(hash))
      if (isKnown) putLast(known, key, true, MAX_REMEMBERED)
      return isKnown
    },
    forget(hash) {
      known.delete(keyOf(hash))
    },
  }
}

export type ServerStateRow = {
  serverId: number
  status: CheckStatus
  statusSince: Date
  lastReportAt: Date | null
  silentAt: Date | null
  machine: Machine | null
  /** Packed by core/servers/measure.ts. */
  counters: Uint8Array | null
  latest: Sample | null
  conditions: Condition[]
  trends: Trends | null
  otherMachine: OtherMachine | null
  hosted: Hosted | null
}

/** Which servers a batch is about: those of hashed tokens, and others by their IDs. */
export type AskedServers = { tokenHashes: Buffer[]; serverIds: number[] }

/** OFFSET 0 keeps the conditions out of the look-up, so that each hash uses the index, whatever the statistics suggest. */
const ASKED = `SELECT found.* FROM unnest($1::bytea[]) AS asked (hash)
    CROSS JOIN LATERAL (SELECT * FROM servers WHERE token_hash = asked.hash OFFSET 0) found
    UNION ALL
    SELECT found.* FROM unnest($2::int[]) AS asked (id)
    CROSS JOIN LATERAL (SELECT * FROM servers WHERE id = asked.id OFFSET 0) found`

/** The IDs of the servers that a batch is about; those of unknown tokens are missing. */
export async function findAskedServers(
  client: Connection,
  { tokenHashes, serverIds }: AskedServers,
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>({
    name: 'find-asked-servers',
    text: `SELECT s.id FROM (${ASKED}) s`,
    values: [tokenHashes, serverIds],
  })
  return rows.map(({ id }) => id)
}

/**
 * Locks states in the order of their IDs, so that batches and users' changes cannot deadlock. The IDs are looked up before:
 * a look-up in this statement would be made again for each row that somebody changed while it waited, and lose most of them.
 */
export async function lockServerStates(client: Connection, serverIds: number[]): Promise<ServerStateRow[]> {
  const { rows } = await client.query<ServerStateRow>({
    name: 'lock-server-states',
    text: `SELECT server_id AS "serverId", status, status_since AS "statusSince", last_report_at AS "lastReportAt",
                  silent_at AS "silentAt", machine, counters, latest, trends, hosted,
                  conditions || hosted_conditions AS conditions, other_machine AS "otherMachine"
           FROM server_state WHERE server_id = ANY($1) ORDER BY server_id FOR UPDATE`,
    values: [serverIds],
  })
  return rows
}

/** A server as it is judged and as alerts describe it. */
export type ServerSubject = {
  /** When its team wants to hear that it flaps; null for never. */
  flapRule?: FlapRule | null
  serverId: number
  tokenHash: Buffer
  teamId: number
  teamName: string
  language: Language
  name: string
  thresholds: ThresholdChanges
  /** How often the windows of its team have changed; 0: it never had one. */
  maintenanceRevision: number
  /** The database's clock at the read, and the last time at which servers are known to have reached us. */
  readAt: Date
  heardUntil: Date | null
}

/** Those that are active. To be sent after the locks: a server that was paused while they waited is none. */
export async function readServerSubjects(
  client: Connection,
  { tokenHashes, serverIds }: AskedServers,
): Promise<ServerSubject[]> {
  const { rows } = await client.query<ServerSubject>({
    name: 'read-server-subjects',
    text: `SELECT s.id AS "serverId", s.token_hash AS "tokenHash", s.team_id AS "teamId", t.name AS "teamName", t.language, s.name,
                  s.thresholds, ${FLAP_RULE} AS "flapRule", t.maintenance_revision AS "maintenanceRevision",
                  clock_timestamp() AS "readAt", (SELECT alive_at FROM scheduler_pulse) AS "heardUntil"
           FROM (${ASKED}) s JOIN teams t ON t.id = s.team_id
           WHERE s.is_active AND s.deleted_at IS NULL`,
    values: [tokenHashes, serverIds],
  })
  return rows
}

/** A state, and which of its larger parts have changed: others are not written again. */
export type ChangedState = ServerStateRow & {
  writes: { machine: boolean; conditions: boolean; trends: boolean; otherMachine: boolean; hosted: boolean }
}

/** Changes nothing that an index is about. */
export async function updateServerStates(client: Connection, states: ChangedState[]): Promise<void> {
  const column = <T>(read: (state: ChangedState) => T) => states.map(read)
  const changed = (part: keyof ChangedState['writes']) =>
    column((state) => (state.writes[part] ? JSON.stringify(state[part] ?? null) : null))
  const conditions = (ofHosted: boolean) =>
    column(({ writes, conditions: all }) =>
      writes.conditions ? JSON.stringify(all.filter((one) => isOfHosted(one) === ofHosted)) : null,
    )
  await client.query({
    name: 'update-server-states',
    text: `UPDATE server_state s
           SET status = n.status, status_since = n.status_since, last_report_at = n.last_report_at,
               silent_at = n.silent_at, counters = n.counters, latest = n.latest,
               machine = coalesce(n.machine, s.machine), conditions = coalesce(n.conditions, s.conditions),
               hosted_conditions = coalesce(n.hosted_conditions, s.hosted_conditions),
               trends = coalesce(n.trends, s.trends), other_machine = coalesce(n.other_machine, s.other_machine),
               hosted = coalesce(n.hosted, s.hosted)
           FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::bytea[],
                       $7::jsonb[], $8::jsonb[], $9::jsonb[], $10::jsonb[], $11::jsonb[], $12::jsonb[],
                       $13::jsonb[])
             AS n (server_id, status, status_since, last_report_at, silent_at, counters,
                   latest, machine, conditions, hosted_conditions, trends, other_machine, hosted)
           WHERE s.server_id = n.server_id`,
    values: [
      column((state) => state.serverId),
      column((state) => state.status),
      column((state) => state.statusSince),
      column((state) => state.lastReportAt),
      column((state) => state.silentAt),
      column((state) => state.counters),
      column((state) => state.latest && JSON.stringify(state.latest)),
      changed('machine'),
      conditions(false),
      conditions(true),
      changed('trends'),
      changed('otherMachine'),
      changed('hosted'),
    ],
  })
}

/** `content` is packed by core/servers/history/sample-code.ts. */
export type SampleRow = { serverId: number; at: Date; content: Uint8Array }

export async function insertSamples(client: Connection, samples: SampleRow[]): Promise<void> {
  await client.query({
    name: 'insert-server-samples',
    text: `INSERT INTO server_samples (at, server_id, content)
           SELECT * FROM unnest($1::timestamptz[], $2::int[], $3::bytea[])`,
    values: [
      samples.map(({ at }) => at),
      samples.map(({ serverId }) => serverId),
      samples.map(({ content }) => content),
    ],
  })
}
