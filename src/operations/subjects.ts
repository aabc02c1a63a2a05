import { type OfEach, operationOf } from '../contract/subjects.ts'
import { SUBJECT_KINDS, type SubjectKind, type SubjectRef } from '../core/maintenance/subject-kind.ts'
import type { Actor, Answer, ImplementationOf } from './implementation.ts'
import type { Services } from './services.ts'

/** One function for the operations of all kinds, by the names that the contract derives from the same words. */
export function performOnEach<
  Kinds extends Record<SubjectKind, { name: string; path: string; words: string }>,
  Pattern extends string,
  Body = undefined,
>(
  kinds: Kinds,
  pattern: Pattern,
  perform: (services: Services, actor: Actor, ref: SubjectRef, body: Body) => Promise<Partial<Answer>>,
) {
  const entries = SUBJECT_KINDS.map((kind) => {
    const one: ImplementationOf<{ id: number }, undefined, Body> = {
      perform: (services, { actor, record: { id }, body }) => perform(services, actor, { kind, id }, body),
    }
    return [operationOf(kinds, kind, pattern), one]
  })
  return Object.fromEntries(entries) as OfEach<
    Kinds,
    Pattern,
    ImplementationOf<{ id: number }, undefined, Body>
  >
}
