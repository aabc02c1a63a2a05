import type {
  MaintenanceWindow,
  OneOffWindow,
  RecurringWindow,
  SwitchWindow,
} from '../../../src/core/maintenance/window.ts'

const shared = {
  name: 'Router upgrade',
  note: 'The office is offline.',
  shows_on_pages: true,
  public_name: '',
  all_subjects: true,
  monitor_ids: [],
  server_ids: [],
  site_ids: [],
  tags: [],
}

/** On the first Sunday of each month at 02:00 in Berlin, for two hours. */
export function recurring(changes: Partial<RecurringWindow> = {}): RecurringWindow {
  return {
    kind: 'recurring',
    ...shared,
    local_start: '2027-01-01T02:00',
    time_zone: 'Europe/Berlin',
    duration_minutes: 120,
    rule: 'FREQ=MONTHLY;BYDAY=1SU',
    exceptions: [],
    ...changes,
  }
}

export function oneOff(starts: string, ends: string): OneOffWindow {
  return { kind: 'one_off', ...shared, starts_at: new Date(starts), ends_at: new Date(ends) }
}

export function switchWindow(changes: Partial<SwitchWindow> = {}): SwitchWindow {
  return { kind: 'switch', ...shared, max_minutes: 60, ends_when_passing: false, ...changes }
}

/** As a form sends it: times as texts. */
export function sent(window: MaintenanceWindow): Record<string, unknown> {
  return JSON.parse(JSON.stringify(window))
}
