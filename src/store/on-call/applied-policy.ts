import { CompiledQuery } from 'kysely'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { PolicyChain } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { policyOf } from './new-escalations.ts'

/** The policy that the recorder would take for a subject now; null for none. */
export async function appliedPolicy(
  query: Query,
  teamId: number,
  { kind, id }: { kind: SubjectKind; id: number },
): Promise<(PolicyChain & { id: number; name: string }) | null> {
  const { rows } = await query.executeQuery<PolicyChain & { id: number; name: string }>(
    CompiledQuery.raw(
      `SELECT p.id, p.name, p.steps, p.repeats, p.repeat_every_minutes FROM ${policyOf(kind)} p`,
      [id, teamId],
    ),
  )
  return rows[0] ?? null
}
