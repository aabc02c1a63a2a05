import type { Database } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'

/** Checks that go on while the turn of another region has begun, recorded so that no other prober begins one. */
export type Overruns = {
  /** Whether another prober is still checking this monitor. */
  isBusy(monitorId: number, membership: number): Promise<boolean>
  /** True once it is durable that this monitor is being checked, for `forMs` at most. */
  claim(monitorId: number, membership: number, forMs: number): Promise<boolean>
  end(monitorId: number, membership: number): Promise<void>
}

type Call = { monitorId: number; membership: number; forMs: number }

/** Questions that come together share a statement. */
export function createOverruns(db: Database): Overruns {
  const ask = (name: string, text: string, extra: (calls: Call[]) => unknown[] = () => []) =>
    gather(async (calls: Call[]): Promise<boolean[]> => {
      const ids = calls.map(({ monitorId }) => monitorId)
      const probers = calls.map(({ membership }) => membership)
      const { rows } = await db.pool.query<{ id: number }>({
        name,
        text,
        values: [ids, probers, ...extra(calls)],
      })
      const found = new Set(rows.map(({ id }) => id))
      return ids.map((id) => found.has(id))
    })
  const isBusy = ask(
    'overruns-busy',
    `SELECT o.monitor_id AS id FROM unnest($1::int[], $2::bigint[]) AS c (monitor_id, prober)
     JOIN overruns o ON o.monitor_id = c.monitor_id AND o.prober <> c.prober AND o.until > now()`,
  )
  const claim = ask(
    'overruns-claim',
    // The memberships first: one that ends takes its rows with it.
    `WITH living AS (SELECT id FROM probers WHERE id = ANY($2) ORDER BY id FOR KEY SHARE)
     INSERT INTO overruns (monitor_id, prober, until)
     SELECT c.id, c.prober, now() + c.ms * interval '1 millisecond'
     FROM unnest($1::int[], $2::bigint[], $3::int[]) AS c (id, prober, ms) JOIN living p ON p.id = c.prober
     ORDER BY c.id
     ON CONFLICT (monitor_id) DO UPDATE SET prober = excluded.prober, until = excluded.until
       WHERE overruns.prober = excluded.prober OR overruns.until < now()
     RETURNING monitor_id AS id`,
    (calls) => [calls.map(({ forMs }) => forMs)],
  )
  const end = ask(
    'overruns-end',
    `WITH gone AS (
       SELECT monitor_id, prober FROM overruns WHERE monitor_id = ANY($1) ORDER BY monitor_id FOR UPDATE)
     DELETE FROM overruns o USING gone JOIN unnest($1::int[], $2::bigint[]) AS c (id, prober)
       ON gone.monitor_id = c.id AND gone.prober = c.prober
     WHERE o.monitor_id = gone.monitor_id RETURNING o.monitor_id AS id`,
  )
  return {
    isBusy: (monitorId, membership) => isBusy({ monitorId, membership, forMs: 0 }),
    claim: (monitorId, membership, forMs) => claim({ monitorId, membership, forMs }),
    end: async (monitorId, membership) => void (await end({ monitorId, membership, forMs: 0 })),
  }
}
