import { randomUUID } from 'node:crypto'
import type { MonitorSettings } from '../../src/core/monitors/monitor.ts'
import type { Database } from '../../src/postgres/database.ts'
import { insertMonitor } from '../../src/store/monitors/monitors.ts'
import type { Vault } from '../../src/store/sealing/vault.ts'
import { PLAIN_SETTINGS } from '../../test/support/monitor-settings.ts'

const HOUR_MS = 3_600_000

export type SeededMonitor = { id: number; heartbeatToken: string | null }

/** Many monitors in one transaction; a service that runs reads them when it starts again. */
export async function seedMonitors(
  { db, vault }: { db: Database; vault: Vault },
  teamId: number,
  count: number,
  settingsOf: (number: number) => Partial<MonitorSettings>,
): Promise<SeededMonitor[]> {
  return db.query.transaction().execute(async (query) => {
    const seeded: SeededMonitor[] = []
    for (let number = 0; number < count; number++) {
      const settings = settingsOf(number)
      const heartbeatToken = settings.type === 'heartbeat' ? randomUUID() : null
      const monitor = {
        ...PLAIN_SETTINGS,
        check_interval_minutes: 60 as const,
        ...settings,
        name: `Monitor ${number + 1}`,
        heartbeat_token: heartbeatToken,
      }
      const asked = { heartbeatDueMs: heartbeatToken ? HOUR_MS : null, announces: false }
      const { id } = await insertMonitor(query, vault, teamId, monitor, asked)
      seeded.push({ id, heartbeatToken })
    }
    return seeded
  })
}
