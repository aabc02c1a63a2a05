import type { Generated } from 'kysely'
import type { PageLanguage } from '../../core/language/page-languages.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { SaidState } from '../../core/status-pages/component-state.ts'
import type { Impact, PostKind, PostPhase } from '../../core/status-pages/post.ts'
import type { StatusPage } from '../../core/status-pages/status-page.ts'
import type { MailColumns } from './queued-mail.ts'

export type StatusPagesTables = {
  status_pages: {
    id: Generated<number>
    team_id: number
    slug: string
    name: string
    description: string
    visibility: StatusPage['visibility']
    networks: string[]
    language: StatusPage['language']
    theme: StatusPage['theme']
    accent_color: string | null
    home_url: string | null
    support_url: string | null
    days: StatusPage['days']
    posts: StatusPage['posts']
    allows_subscribers: boolean
    template_id: number | null
    is_published: Generated<boolean>
    password_hash: string | null
    password_revision: Generated<number>
    feed_token: string | null
    feed_token_hash: Buffer | null
    logo: Buffer | null
    logo_type: string | null
    revision: Generated<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  status_domains: {
    domain: string
    page_id: number
    team_id: number
    proof: string
    proved_at: Date | null
    looked_at: Date | null
    created_at: Generated<Date>
  }
  status_groups: {
    id: Generated<number>
    page_id: number
    name: string
    is_open: boolean
    tags: Generated<string[]>
    position: number
    created_at: Generated<Date>
  }
  status_components: {
    id: Generated<number>
    page_id: number
    group_id: number | null
    position: number
    /** The subject that says its state; null where it is set by hand. */
    kind: SubjectKind | null
    subject_id: number | null
    name: string
    description: string
    shows_uptime: boolean
    shows_chart: boolean
    state: SaidState
    by_tag: Generated<boolean>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  status_posts: {
    id: Generated<number>
    page_id: number
    team_id: number
    kind: PostKind
    title: string
    phase: PostPhase
    started_at: Date
    resolved_at: Date | null
    scheduled_for: Date | null
    scheduled_until: Date | null
    incident_kind: Generated<SubjectKind>
    incident_id: number | null
    is_automatic: Generated<boolean>
    window_id: number | null
    occurrence_at: Date | null
    follows_window: Generated<boolean>
    window_revision: number | null
    published_at: Date | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  incident_posts: { page_id: number; kind: SubjectKind; team_incident_id: number; post_id: number | null }
  status_updates: {
    id: Generated<number>
    post_id: number
    phase: PostPhase
    body: string
    impacts: Impact[]
    at: Date
    created_at: Generated<Date>
    edited_at: Date | null
    sent_before: Generated<number>
    failed_before: Generated<number>
  }
  status_templates: {
    id: Generated<number>
    team_id: number
    name: string
    title: string
    phase: PostPhase
    body: string
    created_at: Generated<Date>
  }
  status_subscribers: {
    id: Generated<number>
    page_id: number
    team_id: number
    type: 'email' | 'webhook'
    address: string
    address_hash: Buffer
    token: string
    token_hash: Buffer
    component_ids: number[] | null
    language: Generated<PageLanguage>
    confirmed_at: Date | null
    refused_at: Date | null
    created_at: Generated<Date>
  }
  status_notices: MailColumns & { update_id: number | null; subscriber_id: number }
}
