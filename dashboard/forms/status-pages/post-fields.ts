import type * as z from 'zod'
import {
  NewPost,
  type PostKind,
  PostPatch,
  type PostPhase,
  PostUpdate,
  PostUpdatePatch,
} from '../../../src/core/status-pages/post.ts'
import { newPostFaults, phaseFaults, textFaults } from '../../../src/core/status-pages/posts/post-rules.ts'
import type { ShownComponent, StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import type { PostProposal, ShownUpdate } from '../../../src/core/status-pages/shown-post.ts'
import { broken, type Parsed, parseFields } from '../../../src/core/validation.ts'
import { instantOf, localTimeOf, readerZone } from '../../data/zone-time.ts'
import type { Draft, Pair } from '../draft.ts'
import type { Form } from '../use-form.ts'

/** Controls of a post get its form, and the page that it is written for. */
export type OfPost = { team: number; page: StatusPageDetail; kind: PostKind; form: Form }

/** An update while it is written: impacts are pairs of a component's id and its state, none for what its monitor says. */
export function updateDraft(phase: PostPhase, update?: ShownUpdate): Draft {
  return {
    phase: update?.phase ?? phase,
    body: update?.body ?? '',
    impacts: pairsOf(update?.impacts ?? []),
    at: update ? localTimeOf(new Date(update.at), readerZone()) : '',
    notifies: true,
  }
}

export function pairsOf(impacts: ShownUpdate['impacts']): Pair[] {
  return impacts.map(({ component_id, state }) => ({
    key: component_id,
    name: String(component_id),
    value: state,
  }))
}

/** A local time as an instant; what is no time stays, so that the schema says so. */
export function instantIn(local: unknown): string | null {
  const text = String(local ?? '')
  return text === '' ? null : (instantOf(text, readerZone())?.toISOString() ?? text)
}

function bodyOf({ phase, body, impacts, at, notifies }: Draft) {
  const pairs = typeof impacts === 'object' ? impacts : []
  return {
    phase,
    body,
    impacts: pairs.map(({ key, value }) => ({ component_id: key, state: value })),
    at: instantIn(at),
    notifies,
  }
}

export function judgeUpdate(kind: PostKind, draft: Draft): Parsed<z.input<typeof PostUpdate>> {
  const sent = bodyOf(draft)
  const parsed = parseFields(PostUpdate, sent, ({ phase, body }) => [
    ...phaseFaults(kind, phase),
    ...textFaults(body, 'body'),
  ])
  return parsed.ok ? { ok: true, value: sent as z.input<typeof PostUpdate> } : parsed
}

/** A change of an update that stands; a time that was not touched keeps its seconds. */
export function judgeUpdatePatch(
  kind: PostKind,
  draft: Draft,
  before: ShownUpdate,
): Parsed<z.input<typeof PostUpdatePatch>> {
  const { notifies: _, at, ...sent } = bodyOf(draft)
  const isMoved = draft.at !== localTimeOf(new Date(before.at), readerZone())
  const patch = { ...sent, ...(isMoved && { at: at ?? '' }) }
  const parsed = parseFields(PostUpdatePatch, patch, ({ phase }) => phaseFaults(kind, phase))
  return parsed.ok ? { ok: true, value: patch as z.input<typeof PostUpdatePatch> } : parsed
}

/** A whole post: its own fields and its first update, as a proposal says them. */
export function newPostDraft(
  kind: PostKind,
  { title, body, impacts }: PostProposal = { title: '', body: '', impacts: [] },
): Draft {
  return {
    ...updateDraft(kind === 'incident' ? 'investigating' : 'scheduled'),
    body,
    impacts: pairsOf(impacts),
    title,
    scheduled_for: '',
    scheduled_until: '',
    is_draft: false,
  }
}

export const POST_NAMES = ['title', 'scheduled_for', 'scheduled_until', 'phase', 'body', 'impacts', 'at']

export function judgePost(kind: PostKind, draft: Draft): Parsed<z.input<typeof NewPost>> {
  const { title, scheduled_for, scheduled_until, is_draft, ...update } = draft
  const isPlanned = kind === 'maintenance'
  const sent = {
    kind,
    title,
    is_draft,
    scheduled_for: isPlanned ? instantIn(scheduled_for) : null,
    scheduled_until: isPlanned ? instantIn(scheduled_until) : null,
    update: bodyOf(update),
  }
  const parsed = parseFields(NewPost, sent, (valid) => [
    ...newPostFaults(valid),
    ...textFaults(valid.update?.body, 'update.body'),
  ])
  if (parsed.ok) return { ok: true, value: sent as z.input<typeof NewPost> }
  return broken(withoutPrefix(parsed.faults))
}

/** The form has the fields of the first update beside those of the post. */
export function withoutPrefix<Fault>(errors: Record<string, Fault[]>): Record<string, Fault[]> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, faults]) => [field.replace(/^update\./, ''), faults]),
  )
}

/** Every component of a page from top to bottom, with the name of its group. */
export function componentsOf({ layout }: Pick<StatusPageDetail, 'layout'>) {
  return layout.items.flatMap((item): { component: ShownComponent; group: string | null }[] =>
    'component' in item
      ? [{ component: item.component, group: null }]
      : item.group.components.map((component) => ({ component, group: item.group.name })),
  )
}

/** Title and planned times of a post that stands. */
export function judgeTitle(kind: PostKind, draft: Draft): Parsed<z.input<typeof PostPatch>> {
  const sent = {
    title: String(draft.title),
    ...(kind === 'maintenance' && {
      scheduled_for: instantIn(draft.scheduled_for),
      scheduled_until: instantIn(draft.scheduled_until),
    }),
  }
  const parsed = parseFields(PostPatch, sent)
  return parsed.ok ? { ok: true, value: sent } : parsed
}
