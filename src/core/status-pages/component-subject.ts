import { ofEachField, SUBJECT_KINDS, type SubjectKind, type SubjectRef } from '../maintenance/subject-kind.ts'
import type { Component } from './status-page.ts'

/** The fields of a component that name what says its state: one of them, or none where it is set by hand. */
export type SubjectIds = Pick<Component, `${SubjectKind}_id`>

/** The subject of a component; null for one that is set by hand. */
export function subjectOf(component: SubjectIds): SubjectRef | null {
  for (const kind of SUBJECT_KINDS) {
    const id = component[`${kind}_id`]
    if (id !== null) return { kind, id }
  }
  return null
}

/** The fields by which a component names a subject. */
export function idsOf(subject: SubjectRef | null): SubjectIds {
  return ofEachField('_id', (kind) => (kind === subject?.kind ? subject.id : null))
}

/** A key of the subject, whose ids are unique in its kind alone; null where there is none. */
export function keyOfSubject(component: SubjectIds): string | null {
  const subject = subjectOf(component)
  return subject && keyOf(subject)
}

export function keyOf({ kind, id }: SubjectRef): string {
  return `${kind} ${id}`
}
