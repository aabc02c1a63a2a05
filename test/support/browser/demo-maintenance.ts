import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import { addRow, ago } from '../records/rows.ts'
import type { AskedService } from '../services/asked-service.ts'

const MINUTE_MS = 60_000

/** Makes a record through the dashboard's API, and returns its id. */
type Make = (path: string, body: unknown) => Promise<number>

export type DemoWindows = { running: number; weekly: number; deploys: number }

/** Windows of each kind: one that runs, several that are planned, switches, and some that are over. */
export async function planDemoMaintenance(
  { services: { db } }: AskedService,
  team: number,
  monitors: Map<string, number>,
  make: Make,
): Promise<DemoWindows> {
  const idsOf = (...names: string[]) => names.map((name) => monitors.get(name) as number)
  const plan = (kind: string, name: string, rest: object) =>
    make('/maintenance-windows', { kind, name, ...rest })
  const in_ = (ms: number) => new Date(Date.now() + ms).toISOString()
  const running = await plan('one_off', 'Move of the warehouse', {
    note: 'The warehouse is offline while its servers move to the new rack.',
    monitor_ids: idsOf('Warehouse', 'Router of the office'),
    starts_at: ago(25 * MINUTE_MS),
    ends_at: in_(65 * MINUTE_MS),
  })
  const weekly = await plan('recurring', 'Weekly database backup', {
    note: 'Queries are slower while the backup runs.',
    monitor_ids: idsOf('Database primary', 'Database replica', 'Search API', 'Stock API', 'queue port'),
    local_start: '2026-01-04T02:30',
    time_zone: 'Europe/Berlin',
    duration_minutes: 90,
    rule: 'FREQ=WEEKLY;BYDAY=SU',
  })
  await plan('recurring', 'Patch day', {
    all_subjects: true,
    local_start: '2026-01-01T22:00',
    time_zone: 'America/New_York',
    duration_minutes: 300,
    rule: 'FREQ=MONTHLY;BYDAY=2TU',
  })
  await plan(
    'one_off',
    'Upgrade of the storefront of the southern region, with its consent page and the redirects',
    {
      monitor_ids: idsOf('Shop', 'Checkout'),
      starts_at: in_(3 * DAY_MS),
      ends_at: in_(5 * DAY_MS + 2 * HOUR_MS),
    },
  )
  const deploys = await plan('switch', 'Deploys of the shop', {
    note: 'Turned on by the pipeline.',
    monitor_ids: idsOf('Shop', 'Checkout', 'Status page says OK'),
    max_minutes: 30,
    ends_when_passing: true,
  })
  const happened = [
    [deploys, 2 * HOUR_MS, 12, 'address'],
    [deploys, 26 * HOUR_MS, 30, null],
    [deploys, 50 * HOUR_MS, 4, 'passing'],
    [weekly, 9 * DAY_MS, 90, null],
    [weekly, 16 * DAY_MS, 41, 'person'],
  ] as const
  for (const [window_id, back, minutes, ended_by] of happened) {
    await addRow(db, 'maintenance_occurrences', {
      window_id,
      team_id: team,
      starts_at: ago(back),
      ends_at: ago(back - minutes * MINUTE_MS),
      ended_by,
      all_subjects: false,
      monitor_ids: idsOf('Shop', 'Checkout'),
    })
  }
  return { running, weekly, deploys }
}
