import { Refusal } from '../core/errors.ts'
import type { Query } from '../store/database.ts'
import { hasOtherOperator, isOperator, lockOperators, setOperator } from '../store/operators.ts'

/** Names an operator, or takes that back. */
export async function nameOperator(query: Query, user: { id: number }, wanted: boolean): Promise<void> {
  if (!wanted) await refuseLosingLastOperator(query, user.id, 'operator')
  await setOperator(query, user.id, wanted)
}

/** A service never loses its last operator; nobody else takes another one away until the transaction ends. */
export async function refuseLosingLastOperator(query: Query, userId: number, field: string): Promise<void> {
  await lockOperators(query)
  if (!(await isOperator(query, userId)) || (await hasOtherOperator(query, userId))) return
  throw Refusal.invalid({
    [field]: [`${field} is the last operator of this service: name another one first`],
  })
}
