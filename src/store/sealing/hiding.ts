import type { Database } from '../../postgres/database.ts'

/** Whether the queries of addresses and phone numbers are hidden in the database already. */
export type Hiding = {
  readonly begun: boolean
  /** Looks whether it has begun by now; returns whether it has. */
  look(): Promise<boolean>
  /** Whether an earlier process has sealed all that an older release left in the clear. */
  readonly completed: boolean
  /** Says so to those that start later. */
  complete(): Promise<void>
}

/**
 * Processes of the release before read addresses and numbers where they stood, so they stay there for a day after the
 * upgrade, and then for as long as such a process checks monitors: it has not said that it opens addresses. Once begun it
 * stays so, because the older release does not start on a newer schema.
 */
export async function openHiding(db: Database): Promise<Hiding> {
  let begun = await mayBegin(db)
  let completed = await isCompleted(db)
  return {
    get begun() {
      return begun
    },
    async look() {
      begun ||= await mayBegin(db)
      return begun
    },
    get completed() {
      return completed
    },
    async complete() {
      await db.pool.query("UPDATE sealing SET hides_from = '-infinity'")
      completed = true
    },
  }
}

async function mayBegin({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ begins: boolean }>(
    // After a restore or a move no time is stored, and there is no older process.
    `SELECT NOT EXISTS (SELECT FROM sealing WHERE hides_from > now())
       AND NOT EXISTS (SELECT FROM probers WHERE expires_at > now() AND NOT opens_addresses) AS begins`,
  )
  return rows[0]?.begins ?? false
}

async function isCompleted({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ completed: boolean }>(
    "SELECT EXISTS (SELECT FROM sealing WHERE hides_from = '-infinity') AS completed",
  )
  return rows[0]?.completed ?? false
}
