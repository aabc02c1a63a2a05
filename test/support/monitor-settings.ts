import { MonitorSettings } from '../../src/core/monitors/monitor.ts'

/** A monitor that somebody only gave a name, as the schema completes it. */
export const PLAIN_SETTINGS: MonitorSettings = MonitorSettings.parse({
  name: 'Plain',
  type: 'http',
  check_interval_minutes: 1,
})
