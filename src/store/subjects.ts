import { sql } from 'kysely'
import type { SubjectRef } from '../core/maintenance/subject-kind.ts'

/** A condition on rows of `subjects`: they are among some. */
export function isAmong(chosen: readonly SubjectRef[]) {
  const kinds = chosen.map(({ kind }) => kind)
  const ids = chosen.map(({ id }) => id)
  return sql<boolean>`(kind, id) IN (SELECT * FROM unnest(${kinds}::text[], ${ids}::int[]))`
}
