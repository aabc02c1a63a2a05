import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { SiteArea } from '../../../src/core/sites/area.ts'
import type { Database } from '../../../src/postgres/database.ts'
import type { Tables } from '../../../src/postgres/tables.ts'
import { addRow, addRows, ago, type Given } from './rows.ts'
import { addTeam } from './teams.ts'

/** A site with all of its areas, due now. Without a team, a new one gets it. */
export async function addSite(db: Database, site: Given<'sites'> = {}): Promise<Selectable<Tables['sites']>> {
  const row = await addRow(db, 'sites', {
    ...{ name: 'Shop', url: 'https://example.com/', slot: 0 },
    ...{ home_interval_seconds: 60, max_pages: 100, checks_foreign_links: true },
    ...{ ignored_patterns: [], domain_expires_on: null, areas_off: [] },
    ...site,
    team_id: site.team_id ?? (await addTeam(db)),
  })
  await addRows(
    db,
    'site_areas',
    SiteArea.options.map((area) => ({ site_id: row.id, area })),
  )
  return row
}

/** A link that was found broken twice; the rest as it is given. */
export async function addFinding(
  db: Database,
  siteId: number,
  finding: Given<'site_findings'> = {},
): Promise<number> {
  const { id } = await addRow(db, 'site_findings', {
    ...{ area: 'links', kind: 'broken_link', address: 'https://example.com/gone', detail: 'answered 404' },
    ...{ key_hash: randomBytes(8), sources: '[{"page": "https://example.com/", "label": "Old offers"}]' },
    ...{ first_seen_at: ago(7_200_000), last_seen_at: ago(60_000), confirmed_at: ago(60_000) },
    ...finding,
    site_id: siteId,
  })
  return id
}
