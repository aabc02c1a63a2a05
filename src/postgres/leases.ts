import type { Connection, Database } from './database.ts'

/** Acquires or renews a lease; true if it is ours. Uses the database's clock. */
export async function holdLease(
  db: Database,
  name: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const { rowCount } = await db.pool.query({
    name: 'hold-lease',
    text: `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, now() + $3 * interval '1 second')
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
           WHERE leases.holder = excluded.holder OR leases.expires_at < now()`,
    values: [name, holder, seconds],
  })
  return rowCount === 1
}

/**
 * Whether the lease is still ours. Locks it until the transaction ends, so that decisions of a suspended
 * process take no effect.
 */
export async function stillHolds(client: Connection, lease: string, holder: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM leases WHERE name = $1 AND holder = $2 AND expires_at > now() FOR UPDATE',
    [lease, holder],
  )
  return rowCount === 1
}

export async function releaseLease(db: Database, name: string, holder: string): Promise<void> {
  await db.pool.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder])
}

/** Only for a database without other clients: leases of killed processes are void. */
export async function releaseAllLeases(db: Database): Promise<void> {
  await db.pool.query('DELETE FROM leases')
}

export async function anyLeaseHeld(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ held: boolean }>(
    'SELECT EXISTS (SELECT FROM leases WHERE expires_at > now()) AS held',
  )
  return rows[0]?.held ?? false
}

/** Whether the service is running according to the database: a process schedules or probes. */
export async function isServiceRunning(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ runs: boolean }>(
    `SELECT EXISTS (SELECT FROM leases WHERE expires_at > now())
         OR EXISTS (SELECT FROM probers WHERE expires_at > now()) AS runs`,
  )
  return rows[0]?.runs ?? false
}
