import * as z from 'zod'
import { RecordId } from '../record-id.ts'
import { withoutSchemaDefaults } from '../shape.ts'
import { label, prose } from '../text.ts'
import { SaidState } from './component-state.ts'

export const MAX_TITLE_LENGTH = 200
/** Markdown, in code points. */
export const MAX_BODY_LENGTH = 20_000
export const MAX_UPDATES_OF_POST = 500
export const MAX_IMPACTS = 1_000
export const MAX_TEMPLATES = 200
/** The bound of one page. */
export const MAX_POSTS = 10_000

export const IncidentPhase = z.enum(['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'])
export type IncidentPhase = z.infer<typeof IncidentPhase>
export const MaintenancePhase = z.enum(['scheduled', 'in_progress', 'verifying', 'completed'])
export type MaintenancePhase = z.infer<typeof MaintenancePhase>
export const PostPhase = z.enum([...IncidentPhase.options, ...MaintenancePhase.options])
export type PostPhase = z.infer<typeof PostPhase>

export const PostKind = z.enum(['incident', 'maintenance'])
export type PostKind = z.infer<typeof PostKind>

export function phasesOf(kind: PostKind): readonly PostPhase[] {
  return kind === 'incident' ? IncidentPhase.options : MaintenancePhase.options
}

/** The phases in which a post is over. */
export function isOver(phase: PostPhase): boolean {
  return phase === 'resolved' || phase === 'postmortem' || phase === 'completed'
}

export const Impact = z.object({ component_id: RecordId, state: SaidState })
export type Impact = z.infer<typeof Impact>

const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))

/** An update as a form sends it. Impacts are whole: what is not named is as its monitor says. */
export const PostUpdate = z.object({
  phase: PostPhase,
  body: prose(MAX_BODY_LENGTH).describe('Markdown; HTML in it is shown as text.'),
  impacts: z.array(Impact).max(MAX_IMPACTS).default([]),
  /** Null: now. An earlier time back-dates it. */
  at: time.nullable().default(null),
  /** Whether subscribers are told. */
  notifies: z.boolean().default(true),
})
export type PostUpdate = z.infer<typeof PostUpdate>

/** A change of an update that stands; it sends no messages. Fields left out stay. */
export const PostUpdatePatch = z
  .object({ ...withoutSchemaDefaults(PostUpdate.omit({ notifies: true }).shape), at: time })
  .partial()
export type PostUpdatePatch = z.infer<typeof PostUpdatePatch>

export const NewPost = z.object({
  kind: PostKind,
  title: label(MAX_TITLE_LENGTH),
  /** The time that planned maintenance begins. */
  scheduled_for: time.nullable().default(null),
  scheduled_until: time.nullable().default(null),
  is_draft: z.boolean().default(false),
  update: PostUpdate,
})
export type NewPost = z.infer<typeof NewPost>

export const PostPatch = z
  .object({ title: NewPost.shape.title, scheduled_for: time.nullable(), scheduled_until: time.nullable() })
  .partial()
export type PostPatch = z.infer<typeof PostPatch>

export const PostTemplate = z.object({
  name: label(MAX_TITLE_LENGTH),
  title: label(MAX_TITLE_LENGTH).describe('May hold {component}, {page} and {time}.'),
  phase: PostPhase,
  body: prose(MAX_BODY_LENGTH).describe('Markdown; may hold {component}, {page} and {time}.'),
})
export type PostTemplate = z.infer<typeof PostTemplate>
