import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SiteArea } from '../../../src/core/sites/area.ts'
import { parseExposition, seriesValue } from '../../support/documents/exposition.ts'
import { addRow, addRows, changeRows } from '../../support/records/rows.ts'
import { addFinding, addSite } from '../../support/records/sites.ts'
import { apiService } from '../../support/services/api-service.ts'

describe('metrics of sites', () => {
  it('tell how each site and its areas are, when dates end, and the numbers of its newest crawl', async () => {
    const service = await apiService()
    const { db } = service.services
    const team = await service.createTeam()
    const [{ id }, paused] = [
      await addSite(db, { team_id: team.id, name: 'Sh"op\\\n', areas_off: ['sitemap'] }),
      await addSite(db, { team_id: team.id, is_active: false }),
    ]
    const hold = (area: SiteArea, state: object) => changeRows(db, 'site_areas', { site_id: id, area }, state)
    const looked_at = new Date(1_800_000_000_000)
    await hold('home_page', { status: 'down', looked_at })
    await hold('certificate', { memory: '{"chain": [{"expires_at": "2027-03-01T00:00:00.000000Z"}]}' })
    await hold('domain', { status: 'degraded', memory: '{"expires_at": "2027-02-01T00:00:00.000000Z"}' })
    await addFinding(db, id)
    for (const day of [1, 2]) {
      const at = (hour: number) => new Date(Date.UTC(2026, 0, day, hour))
      const crawl = await addRow(db, 'site_crawls', {
        ...{ site_id: id, started_at: at(0), ended_at: at(day), cut_short: null, by_hand: false },
      })
      const addresses = [0, 1, 2].map((index) => ({
        ...{ crawl_id: crawl.id, address_hash: Buffer.of(index), address: `https://e.com/${index}` },
        ...{ host: 'e.com', is_page: index < 2, depth: 0, outcome: '{}' },
      }))
      await addRows(db, 'site_crawl_addresses', addresses.slice(0, day + 1))
    }
    const headers = { authorization: `Bearer ${team.viewer}` }
    const text = await (await fetch(`${service.url}/api/v1/metrics`, { headers })).text()
    const families = parseExposition(text, 'prometheus')
    const of = (name: string, more: object = {}) =>
      seriesValue(families, `upbeat_site_${name}`, { id: String(id), ...more })
    assert.deepEqual(
      [of('up'), of('status', { status: 'down' }), of('status', { status: 'up' }), of('broken_links')],
      [0, 1, 0, 1],
    )
    const areas = [
      ['home_page', 'down'],
      ['home_page', 'up'],
      ['domain', 'degraded'],
      ['sitemap', 'pending'],
    ] as const
    assert.deepEqual(
      areas.map(([area, status]) => of('area_status', { area, status })),
      [1, 0, 1, null],
    )
    assert.equal(of('last_look_timestamp_seconds', { area: 'home_page' }), looked_at.getTime() / 1_000)
    assert.deepEqual(
      [of('certificate_expiry_timestamp_seconds'), of('domain_expiry_timestamp_seconds')],
      [Date.UTC(2027, 2, 1) / 1_000, Date.UTC(2027, 1, 1) / 1_000],
    )
    assert.deepEqual([of('crawl_pages'), of('crawl_links'), of('crawl_duration_seconds')], [2, 1, 2 * 3_600])
    assert.equal(of('crawl_end_timestamp_seconds'), Date.UTC(2026, 0, 2, 2) / 1_000)
    const named = families.get('upbeat_site_up')?.samples.find(({ labels }) => labels.id === String(id))
    assert.equal(named?.labels.name, 'Sh"op\\\n')
    const seen = { id: String(paused.id) }
    assert.equal(seriesValue(families, 'upbeat_site_up', seen), null)
    assert.equal(seriesValue(families, 'upbeat_site_status', { ...seen, status: 'paused' }), 1)
    assert.equal(seriesValue(families, 'upbeat_team_sites'), 2)
  })
})
