import { MIN_SILENT_SECONDS } from '../../../src/core/servers/condition.ts'
import { unpackSample } from '../../../src/core/servers/history/sample-code.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { addServers } from '../../support/records/servers.ts'
import type { Delivery, Incident } from '../logs.ts'
import type { ReportingServer } from './machines.ts'
import { FULL_AT_ONCE, type KeptReport, NUMBER_KILOBYTES } from './truth.ts'

const FULL_PERCENT = 'file_system_used_percent:/'

type Place = { teamId: number; contactId: number; url: string; count: number; first: number }

/** Servers of a team, whose alerts go to a contact; numbered from the first number on; `url` is that of the service that they report to. */
export async function addReportingServers(
  db: Database,
  { teamId: team_id, contactId, url, count, first }: Place,
): Promise<ReportingServer[]> {
  const silent = { is_on: true, warns_only: false, seconds: MIN_SILENT_SECONDS }
  const thresholds = JSON.stringify({ disk_space: FULL_AT_ONCE, disk_full_soon: OFF, memory: OFF, silent })
  const servers = await addServers(db, count, (i) => ({ team_id, thresholds, name: `s${first + i}` }))
  await db.pool.query(
    "INSERT INTO subject_contacts (kind, subject_id, contact_id) SELECT 'server', id, $2 FROM unnest($1::int[]) AS id",
    [servers.map(({ id }) => id), contactId],
  )
  return servers.map(({ id, token }, i) => ({ id, number: first + i, address: `${url}/server/${token}` }))
}

const OFF = { ...FULL_AT_ONCE, is_on: false, enter: 1, leave: 1 }

/** The rows of servers in the database, by their ids, with incidents numbered apart from those of monitors. */
export async function readServerRows({ pool }: Database) {
  const samples = await pool.query<{ server: number; atMs: number; content: Buffer; transaction: number }>(
    `SELECT server_id AS server, extract(epoch FROM at)::float8 * 1000 AS "atMs", content,
            xmin::text::float8 AS transaction
     FROM server_samples`,
  )
  const incidents = await pool.query<Incident>(
    `SELECT -id AS id, subject_id AS monitor, about AS condition, extract(epoch FROM started_at)::float8 * 1000 AS "startedMs",
            extract(epoch FROM resolved_at)::float8 * 1000 AS "resolvedMs"
     FROM team_incidents WHERE kind = 'server'`,
  )
  const deliveries = await pool.query<Delivery>(
    `SELECT message_id AS "messageId", -team_incident_id AS incident, subject_id AS monitor, event, state, attempts
     FROM deliveries WHERE kind = 'server' AND team_incident_id IS NOT NULL`,
  )
  const kept: KeptReport[] = samples.rows
    .toSorted((a, b) => a.transaction - b.transaction || a.atMs - b.atMs)
    .map(({ server, atMs, content }, turn) => {
      const sample = unpackSample(content)
      const report = Math.round((sample.memory_available_bytes ?? Number.NaN) / 1_024 / NUMBER_KILOBYTES)
      return { server, atMs, turn, report, used: sample[FULL_PERCENT] ?? Number.NaN }
    })
  return { kept, incidents: incidents.rows, deliveries: deliveries.rows }
}
