import { sql } from 'kysely'
import type { PostTimes } from '../../core/status-pages/serving/post-times.ts'
import type { StatusPage } from '../../core/status-pages/status-page.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { openSecret } from '../sealing/secret-addresses.ts'
import type { Vault } from '../sealing/vault.ts'
import { ofSubject } from '../stored-kinds.ts'

/** A page as far as serving asks: whose it is, where it is, and who sees it. */
export type ServedPageRow = Pick<
  StatusPage,
  'slug' | 'visibility' | 'networks' | 'language' | 'theme' | 'accent_color' | 'allows_subscribers'
> & {
  id: number
  teamId: number
  isPublished: boolean
  passwordRevision: number
  /** The secret address of its documents for programs. */
  feedToken: string | null
  /** Proved ones, the oldest first. */
  domains: string[]
}

export type PageVersion = { id: number; version: string }

/**
 * The version of every page: it changes with what its team says of it, with the states of its subjects and with the team's
 * maintenance windows. One statement without parameters, cheap enough for every second.
 */
export async function readPageVersions({ pool }: Database): Promise<PageVersion[]> {
  const { rows } = await pool.query<PageVersion>({
    name: 'read-status-page-versions',
    text: `SELECT p.id, concat_ws('.', p.revision, t.maintenance_revision, c.digest, d.digest) AS version
           FROM status_pages p JOIN teams t ON t.id = p.team_id
           CROSS JOIN LATERAL (
             SELECT sum(hashtextextended(concat_ws(',', c.id, said.line), 0)) AS digest
             FROM status_components c
             CROSS JOIN LATERAL (${ofSubject('shown', { kind: 'c.kind', id: 'c.subject_id' })}) said
             WHERE c.page_id = p.id) c
           CROSS JOIN LATERAL (
             SELECT sum(hashtextextended(domain, 0)) AS digest FROM status_domains
             WHERE page_id = p.id AND proved_at IS NOT NULL) d`,
  })
  return rows
}

export async function readServedPages(query: Query, vault: Vault, ids: number[]): Promise<ServedPageRow[]> {
  const rows = await query
    .selectFrom('status_pages as p')
    .select(['p.id', 'p.team_id as teamId', 'p.slug', 'p.is_published as isPublished', 'p.visibility'])
    .select(['p.networks', 'p.language', 'p.theme', 'p.accent_color', 'p.allows_subscribers'])
    .select(['p.password_revision as passwordRevision', 'p.feed_token as feedToken'])
    .select(
      sql<string[]>`ARRAY(SELECT d.domain FROM status_domains d
        WHERE d.page_id = p.id AND d.proved_at IS NOT NULL ORDER BY d.created_at, d.domain)`.as('domains'),
    )
    .where('p.id', '=', anyOf(ids))
    .execute()
  return rows.map((row) => ({
    ...row,
    feedToken: row.feedToken && openSecret(vault, 'pageFeed', row.id, row.feedToken),
  }))
}

/** Every published post of a page, and when it began: what there is to see, without its text. */
export async function readPostTimes(query: Query, pageId: number): Promise<PostTimes> {
  const rows = await query
    .selectFrom('status_posts')
    .select(['id', 'started_at as startedAt'])
    .where('page_id', '=', pageId)
    .where('published_at', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, startedAt }) => [id, startedAt]))
}
