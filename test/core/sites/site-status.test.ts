import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import type { SiteArea } from '../../../src/core/sites/area.ts'
import { siteStatus } from '../../../src/core/sites/site-status.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

type Line = [area: SiteArea, status: CheckStatus, since: number, snoozedUntil?: number]

describe('the status of a site is the worst of its areas that count', () => {
  for (const [what, lines, off, expected] of [
    ['none', [], [], ['pending', null]],
    [
      'all well, since the last one is',
      [
        ['dns', 'up', -9],
        ['domain', 'up', -3],
      ],
      [],
      ['up', -3],
    ],
    [
      'one not judged yet',
      [
        ['dns', 'up', -9],
        ['domain', 'pending', -3],
      ],
      [],
      ['up', -9],
    ],
    [
      'two warnings, since the first',
      [
        ['dns', 'degraded', -9],
        ['links', 'degraded', -3],
      ],
      [],
      ['degraded', -9],
    ],
    [
      'an outage among warnings',
      [
        ['dns', 'degraded', -9],
        ['domain', 'down', -3],
      ],
      [],
      ['down', -3],
    ],
    [
      'maintenance',
      [
        ['dns', 'maintenance', -9],
        ['links', 'up', -3],
      ],
      [],
      ['maintenance', -9],
    ],
    [
      'one that is off',
      [
        ['dns', 'down', -9],
        ['links', 'up', -3],
      ],
      ['dns'],
      ['up', -3],
    ],
    [
      'one that is snoozed',
      [
        ['dns', 'down', -9, 1],
        ['links', 'up', -3],
      ],
      [],
      ['up', -3],
    ],
    [
      'one that was snoozed',
      [
        ['dns', 'down', -9, -1],
        ['links', 'up', -3],
      ],
      [],
      ['down', -9],
    ],
  ] as [string, Line[], SiteArea[], [CheckStatus, number | null]][]) {
    it(what, () => {
      const areas = lines.map(([area, status, since, until]) => ({
        ...{ area, status, statusSince: at(since) },
        snoozedUntil: until === undefined ? null : at(until),
      }))
      const [status, since] = expected
      assert.deepEqual(siteStatus(areas, off, NOW), { status, since: since === null ? null : at(since) })
    })
  }
})
