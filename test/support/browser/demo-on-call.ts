import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import { layer } from '../on-call/schedules.ts'

/** Makes a record through the dashboard's API, and returns its id. */
type Make = (path: string, body: unknown) => Promise<number>

export type DemoSchedules = { shop: number; office: number; policy: number; drill: number }

/** Two schedules: one whose people take turns by the week with a holiday, and one for office hours, which has gaps. */
export async function makeDemoSchedules(contacts: readonly number[], make: Make): Promise<DemoSchedules> {
  const [first = 0, second = first, third = second] = contacts
  const person = (key: number, name: string, contact: number) => ({ key, name, contact_ids: [contact] })
  const shop = await make('/schedules', {
    name: 'Shop, first line',
    time_zone: 'Europe/Berlin',
    participants: [
      { ...person(1, 'Ada Lovelace', first), contact_ids: [first, second] },
      person(2, 'Charles Babbage', second),
      person(3, 'Grace Hopper of the night shift', third),
    ],
    layers: [
      layer({ rotation: [1, 2], starts_on: '2026-01-05' }),
      layer({
        rotation: [3],
        unit: 'day',
        starts_on: '2026-01-05',
        hours: { days: ['SA', 'SU'], from: '22:00', until: '06:00' },
      }),
    ],
  })
  await make(`/schedules/${shop}/overrides`, {
    participant: 3,
    starts_at: new Date(Date.now() + 2 * DAY_MS),
    ends_at: new Date(Date.now() + 2 * DAY_MS + 9 * HOUR_MS),
  })
  const office = await make('/schedules', {
    name: 'Office network',
    time_zone: 'Europe/London',
    participants: [person(1, 'Mary Somerville', first)],
    layers: [
      layer({
        rotation: [1],
        starts_on: '2026-01-05',
        hours: { days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '09:00', until: '17:00' },
      }),
    ],
  })
  const step = (after_minutes: number, contact_ids: number[], schedule_id: number | null = null) => ({
    ...{ after_minutes, contact_ids, schedule_id },
  })
  const policy = await make('/escalation-policies', {
    name: 'Shop, day and night',
    steps: [step(5, [], shop), step(15, [first, second]), step(45, [], office)],
    repeats: 2,
    repeat_every_minutes: 60,
    tags: ['team:shop'],
  })
  const drill = await make(`/escalation-policies/${policy}/drills`, {})
  return { shop, office, policy, drill }
}
