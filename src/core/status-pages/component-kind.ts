import type { SubjectKind } from '../maintenance/window.ts'

/** Kinds of subjects that components show. */
export const COMPONENT_KINDS = ['monitor', 'server'] as const satisfies SubjectKind[]
export type ComponentKind = (typeof COMPONENT_KINDS)[number]
