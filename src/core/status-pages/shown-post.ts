import * as z from 'zod'
import { AskedState } from '../accounts/asked-address.ts'
import { Instant } from '../instant.ts'
import { RecordId } from '../record-id.ts'
import { ComponentState } from './component-state.ts'
import { Impact, MAX_IMPACTS, MAX_UPDATES_OF_POST, PostKind, PostPhase, PostTemplate } from './post.ts'

/** The dashboard's questions about posts and subscribers, and the answers. */

/** How far the messages of an update are. */
export const NoticeCounts = z.object({ pending: z.int(), sent: z.int(), failed: z.int() })
export type NoticeCounts = z.infer<typeof NoticeCounts>

export const ShownUpdate = z.object({
  id: RecordId,
  phase: PostPhase,
  /** Markdown. */
  body: z.string(),
  /** The text as the page shows it; null of older ones of a long post. */
  html: z.string().nullable(),
  /** Components that are no longer on the page are left out. */
  impacts: z.array(Impact).max(MAX_IMPACTS),
  at: Instant,
  created_at: Instant,
  edited_at: Instant.nullable(),
  notices: NoticeCounts,
})
export type ShownUpdate = z.infer<typeof ShownUpdate>

/** A line of the list. */
export const StatusPostRow = z.object({
  id: RecordId,
  kind: PostKind,
  title: z.string(),
  /** The phase of the latest update. */
  phase: PostPhase,
  /** The worst that it said about a component. */
  impact: ComponentState,
  is_draft: z.boolean(),
  /** Written by the service, and not changed by a person: the service goes on with it. */
  is_automatic: z.boolean(),
  started_at: Instant,
  resolved_at: Instant.nullable(),
  scheduled_for: Instant.nullable(),
  scheduled_until: Instant.nullable(),
  published_at: Instant.nullable(),
  updated_at: Instant,
})
export type StatusPostRow = z.infer<typeof StatusPostRow>

export const StatusPostDetail = StatusPostRow.extend({
  page_id: RecordId,
  /** The incident of a monitor that it was drafted for. */
  incident_id: z.int().nullable(),
  /** The maintenance window that it was made from; null without one, or once it is deleted. */
  window: z.object({ id: RecordId, name: z.string() }).nullable(),
  /** Its times are those of the window, until a person gives it others. */
  follows_window: z.boolean(),
  created_at: Instant,
  /** Newest first. */
  updates: z.array(ShownUpdate).max(MAX_UPDATES_OF_POST),
})
export type StatusPostDetail = z.infer<typeof StatusPostDetail>

/** A post about what is down, as the automatic draft would begin it; nothing is stored. */
export const PostProposal = z.object({
  /** Empty where nothing is down. */
  title: z.string(),
  body: z.string(),
  impacts: z.array(Impact).max(MAX_IMPACTS),
})
export type PostProposal = z.infer<typeof PostProposal>

/** A page that shows the subject of an incident, and the post about it; null while there is none. */
export const IncidentPage = z.object({ id: RecordId, name: z.string(), post_id: RecordId.nullable() })
export type IncidentPage = z.infer<typeof IncidentPage>

export const PostState = z.enum(['draft', 'active', 'over'])
export type PostState = z.infer<typeof PostState>

export const ShownTemplate = PostTemplate.extend({ id: RecordId })
export type ShownTemplate = z.infer<typeof ShownTemplate>

/** The bound of a part of an address: the longest e-mail address. */
export const MAX_SEARCH_LENGTH = 254

export const SubscriberType = z.enum(['email', 'webhook'])

export const SubscriberRow = z.object({
  id: RecordId,
  type: SubscriberType,
  /** Null for viewers. */
  address: z.string().nullable(),
  state: AskedState,
  /** Null: all, new ones included. */
  component_ids: z.array(RecordId).nullable(),
  created_at: Instant,
  confirmed_at: Instant.nullable(),
  refused_at: Instant.nullable(),
})
export type SubscriberRow = z.infer<typeof SubscriberRow>
