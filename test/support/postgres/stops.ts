import type { Database } from '../../../src/postgres/database.ts'
import { until } from '../until.ts'

/** Places where a process stands still in the middle of a transaction, until it is let on or is no more. */
export type Stops = {
  /** From now on whoever writes to the table for the so many-th time stops after that statement. */
  at(table: string, time: number): Promise<void>
  /** Resolves once somebody has stopped, to its connection; to null once it has ended instead. */
  reached(ended?: Promise<null>): Promise<number | null>
  letOn(): Promise<void>
  /** Resolves once nothing is left of a connection: what it had not committed is undone. */
  undone(connection: number): Promise<void>
}

/** For the statements that insert into these tables, or update them. */
export async function createStops(db: Database, tables: string[]): Promise<Stops> {
  await db.pool.query(`
    CREATE TABLE stops (at text);
    CREATE FUNCTION stop_there() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      place text := TG_TABLE_NAME || ' ' || nextval('writes_' || TG_TABLE_NAME);
    BEGIN
      WHILE EXISTS (SELECT FROM stops WHERE at = place) LOOP PERFORM pg_sleep(0.005); END LOOP;
      RETURN NULL;
    END $$`)
  for (const table of tables) {
    await db.pool.query(`CREATE SEQUENCE writes_${table};
      CREATE TRIGGER stop AFTER INSERT OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION stop_there()`)
  }
  return {
    async at(table, time) {
      await db.pool.query(`ALTER SEQUENCE writes_${table} RESTART`)
      await db.pool.query('INSERT INTO stops VALUES ($1)', [`${table} ${time}`])
    },
    async reached(ended) {
      let hasEnded = false
      void ended?.then(() => {
        hasEnded = true
      })
      const seen = await until('somebody has stopped', async () => {
        const { rows } = await db.pool.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
        )
        return rows[0] ?? hasEnded
      })
      return seen === true ? null : seen.pid
    },
    async letOn() {
      await db.pool.query('DELETE FROM stops')
    },
    async undone(connection) {
      await until('its connection is gone', async () => {
        const there = await db.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [connection])
        return there.rowCount === 0
      })
    },
  }
}
