import { HOUR_MS } from '../../core/history/history-span.ts'
import { type KnownTimes, stateTimes, type WatchedTime } from '../../core/history/uptime.ts'
import { columnsOf } from '../../core/servers/history/sample-columns.ts'
import { packHour, type Summary, summarize, unpackHour } from '../../core/servers/history/server-hour.ts'
import type { Connection, Database } from '../../postgres/database.ts'
import { readSamplesByServer } from './samples.ts'

type Hour = { serverId: number; hour: Date; content: Uint8Array; times: KnownTimes }

/** Writes full hours: all in which there were samples or anything is known, as one in which a server was told silent. */
export async function rollUpServerHours(
  client: Connection,
  serverIds: number[],
  { from, to }: { from: Date; to: Date },
  watched: ReadonlyMap<number, WatchedTime>,
): Promise<void> {
  const contents = new Map<string, Uint8Array>()
  for await (const { serverId, samples } of readSamplesByServer(client, serverIds, { from, to })) {
    const byHour = Map.groupBy(samples, ({ at }) => Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
    for (const [hourMs, ofHour] of byHour)
      contents.set(`${serverId} ${hourMs}`, packHour(summarize(columnsOf(ofHour))))
  }
  const hours: Hour[] = []
  for (const [serverId, one] of watched) {
    for (let hourMs = from.getTime(); hourMs < to.getTime(); hourMs += HOUR_MS) {
      const { unknownMs, ...times } = stateTimes(one, { fromMs: hourMs, toMs: hourMs + HOUR_MS })
      const content = contents.get(`${serverId} ${hourMs}`)
      if (content || unknownMs < HOUR_MS)
        hours.push({ serverId, hour: new Date(hourMs), content: content ?? packHour([]), times })
    }
  }
  await write(client, hours)
}

async function write(client: Connection, hours: Hour[]): Promise<void> {
  const column = <T>(read: (hour: Hour) => T) => hours.map(read)
  await client.query({
    name: 'write-server-hours',
    text: `INSERT INTO server_hours (server_id, hour, content, up_ms, degraded_ms, down_ms, maintenance_ms)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::bytea[], $4::int[], $5::int[], $6::int[], $7::int[])
           ON CONFLICT (server_id, hour) DO UPDATE SET content = excluded.content, up_ms = excluded.up_ms,
             degraded_ms = excluded.degraded_ms, down_ms = excluded.down_ms, maintenance_ms = excluded.maintenance_ms`,
    values: [
      column(({ serverId }) => serverId),
      column(({ hour }) => hour),
      column(({ content }) => content),
      column(({ times }) => times.upMs),
      column(({ times }) => times.degradedMs),
      column(({ times }) => times.downMs),
      column(({ times }) => times.maintenanceMs),
    ],
  })
}

/** Hours of a server in [from, to), in no order. */
export async function readServerHours(
  { pool }: Database,
  serverId: number,
  { from, to }: { from: Date; to: Date },
): Promise<{ hour: Date; summaries: Summary[] }[]> {
  const { rows } = await pool.query<[hour: Date, content: Buffer]>({
    name: 'read-server-hours',
    text: 'SELECT hour, content FROM server_hours WHERE server_id = $1 AND hour >= $2 AND hour < $3',
    values: [serverId, from, to],
    rowMode: 'array',
  })
  return rows.map(([hour, content]) => ({ hour, summaries: unpackHour(content) }))
}
