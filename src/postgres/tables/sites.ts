import type { ColumnType, Generated } from 'kysely'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { CutReason } from '../../core/sites/cut-reason.ts'
import type { LinkOutcome } from '../../core/sites/link-outcome.ts'
import type { FindingKind, Source } from '../../core/sites/site-finding.ts'

type Json<T> = ColumnType<T, string, string>

export type SitesTables = {
  sites: {
    id: Generated<number>
    team_id: number
    name: string
    url: string
    is_active: Generated<boolean>
    slot: number
    home_interval_seconds: number
    max_pages: number
    checks_foreign_links: boolean
    ignored_patterns: string[]
    domain_expires_on: string | null
    areas_off: SiteArea[]
    tags: Generated<string[]>
    revision: Generated<number>
    created_at: Generated<Date>
    deleted_at: Date | null
  }
  site_areas: {
    site_id: number
    area: SiteArea
    status: Generated<CheckStatus>
    status_since: Generated<Date>
    looked_at: Date | null
    next_look_at: Generated<Date>
    cause: string | null
    cause_reasons: Json<CutReason[]> | null
    memory: ColumnType<Record<string, unknown>, string | undefined, string>
    snoozed_until: Date | null
    snooze_reason: string | null
    told_status: 'degraded' | 'down' | null
    told_cause: string | null
    doubt: string | null
    doubted_at: Date | null
  }
  site_days: {
    day: Date
    site_id: number
    up_ms: number
    degraded_ms: number
    down_ms: number
    maintenance_ms: number
  }
  site_crawls: {
    id: Generated<number>
    site_id: number
    started_at: Date
    ended_at: Date | null
    cut_short: string | null
    cut_reasons: Json<CutReason[]> | null
    by_hand: boolean
    held_by: string | null
    held_until: Date | null
  }
  site_crawl_addresses: {
    crawl_id: number
    address_hash: Buffer
    address: string
    host: string
    is_page: boolean
    depth: number
    outcome: Json<LinkOutcome> | null
  }
  site_crawl_links: { crawl_id: number; target_hash: Buffer; page_hash: Buffer; label: string }
  site_crawl_faults: {
    crawl_id: number
    key_hash: Buffer
    page_hash: Buffer
    kind: FindingKind
    address: string
    detail: string
    label: string
  }
  site_host_seats: { host: string; seat: number; held_until: Generated<Date>; next_start_at: Generated<Date> }
  site_findings: {
    id: Generated<number>
    site_id: number
    area: SiteArea
    key_hash: Buffer
    kind: FindingKind
    address: string
    detail: string
    sources: Json<Source[]>
    first_seen_at: Date
    last_seen_at: Date
    confirmed_at: Date | null
    told_at: Date | null
    fixed_at: Date | null
    ignored_at: Date | null
    ignored_reason: string | null
  }
  site_dns_sets: {
    site_id: number
    type: string
    set_hash: Buffer
    records: string[]
    first_seen_at: Date
    last_seen_at: Date
  }
  registry_services: { only_row: Generated<boolean>; content: string; asked_at: Date }
}
