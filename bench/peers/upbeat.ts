import { readFileSync } from 'node:fs'
import { startTestService } from '../../test/support/services/service.ts'
import { signIn } from '../../test/support/services/signed-in.ts'
import { cpuMicros, databaseRoot, pssBytes, treeCpuMicros, treePssBytes } from '../processes.ts'
import { seedMonitors } from '../support/seed.ts'
import { INTERVAL_SECONDS, type Peer } from './peer.ts'

/** The service on its embedded database; both start and end together. */
export function upbeat(): Peer {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return {
    name: `Upbeat ${version}`,
    async prepare(scope, urls) {
      const service = await startTestService({ DATABASE_URL: '' })
      scope.after(() => service.close())
      const team = await service.createTeam()
      const { browser } = await signIn(service, team.id)
      await seedMonitors(service.services, team.id, urls.length, (number) => ({
        url: urls[number] as string,
        check_interval_seconds: INTERVAL_SECONDS,
      }))
      // As after a time of work, as the others are when they start again.
      const { pool } = service.services.db
      await pool.query(`UPDATE monitor_state SET status = 'up', last_checked_at = now()`)
      await pool.query(`UPDATE monitors SET changed_at = now() - interval '1 day'`)
      await pool.query('VACUUM ANALYZE monitors, monitor_state')
      await service.signal('SIGTERM')
      await service.letGo()
      const cookies = browser.cookie().split('; ')
      return {
        start: service.start,
        screenUrl: service.url,
        cpuMicros: () => cpuMicros(service.pid) + treeCpuMicros(databaseRoot(service.dataDir)),
        pssBytes: () => pssBytes(service.pid) + treePssBytes(databaseRoot(service.dataDir)),
        list: {
          url: `${service.url}/teams/${team.id}/monitors`,
          selector: 'tr[data-row]',
          cookies: cookies.map((cookie) => {
            const [name = '', value = ''] = cookie.split(/=(.*)/s)
            return { name, value }
          }),
          localStorage: {},
        },
      }
    },
  }
}
