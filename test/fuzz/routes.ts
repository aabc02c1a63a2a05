import type { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createMeter } from '../../src/metrics/meter.ts'
import { createLiveStreams } from '../../src/operations/live-streams.ts'
import { createRemoteProbeNews } from '../../src/operations/probing/remote-probe-news.ts'
import { createApp } from '../../src/roles/serve.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import type { Kept } from './living.ts'

/** An app like that of the service, without its loops and status pages. */
export function appOf({ env, services }: Pick<AskedService, 'env' | 'services'>): Promise<Hono> {
  return createApp(readConfig({ ...env, LOG_LEVEL: 'silent' }), services, {
    log: createLog('silent', false),
    tally: createMeter().tally,
    health: async () => null,
    readMetrics: async () => [],
    live: createLiveStreams({ now: () => new Date(), stillAllowed: async () => [], onTrouble: () => {} }),
    probeNews: createRemoteProbeNews(() => 0),
  })
}

/**
 * The routes that none of these requests reaches. What refuses all other methods of a path is left out where one of them
 * is reached: mutated requests have other methods, too.
 */
export function unreached(app: Hono, kept: readonly Kept[]): { method: string; path: string }[] {
  const reached = new Set<RouterRoute>()
  for (const { living } of kept) {
    const [matched] = app.router.match(living.method, living.path.replace(/\?.*/, ''))
    const routes = matched.map(([[, route]]) => route)
    const answering = routes.find(({ method }) => method !== ALL)
    for (const route of routes) {
      // A route before it lets the request through, as does a bound of the body with the same name.
      const isPassed = route.method === ALL || !answering
      if (isPassed || (route.method === answering.method && route.path === answering.path)) reached.add(route)
      else break
    }
  }
  const paths = new Set([...reached].map(({ path }) => path))
  return app.routes.filter((route) => !reached.has(route) && !(route.method === ALL && paths.has(route.path)))
}

const ALL = 'ALL'
