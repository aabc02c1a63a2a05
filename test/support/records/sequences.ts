import type { AskedService } from '../services/asked-service.ts'

/** Has the ids of a table go on above `floor`, and never back: others write to it, too. */
export async function raiseIds({ services }: AskedService, table: string, floor: number): Promise<void> {
  const sequence = `${table}_id_seq`
  await services.db.pool.query('SELECT setval($1, greatest(nextval($1), $2))', [sequence, floor])
}
