import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { findBlackbox, writeBlackboxConfig } from '../programs/blackbox.ts'
import { findProgram } from '../support/programs.ts'
import { resourcesOf, startChild, versionOf } from './child.ts'
import { INTERVAL_SECONDS, type Peer } from './peer.ts'

const TIMEOUT_SECONDS = 10

/** Prometheus, which has the schedule and the history, with blackbox_exporter, which checks; null unless both are there. */
export function prometheusWithBlackbox(): Peer | null {
  const prometheus = findProgram(['prometheus'])
  const exporter = findBlackbox()
  if (prometheus === null || exporter === null) return null
  return {
    name: `Prometheus ${versionOf(prometheus)} with blackbox_exporter ${versionOf(exporter)}`,
    async prepare(scope, urls) {
      const folder = await mkdtemp(join(tmpdir(), 'upbeat-bench-'))
      scope.after(() => rm(folder, { recursive: true, force: true }))
      const [port, exporterPort] = [await freePort(), await freePort()]
      const modules = await writeBlackboxConfig(folder, {
        http: {
          prober: 'http',
          timeoutSeconds: TIMEOUT_SECONDS,
          options: { preferred_ip_protocol: 'ip4' },
        },
      })
      const config = join(folder, 'prometheus.yml')
      await writeFile(config, JSON.stringify(scrapes(urls, `127.0.0.1:${exporterPort}`)))
      let children: ChildProcess[] = []
      return {
        async start() {
          children = [
            startChild(scope, exporter, [
              `--config.file=${modules}`,
              `--web.listen-address=127.0.0.1:${exporterPort}`,
            ]),
            startChild(scope, prometheus, [
              `--config.file=${config}`,
              `--storage.tsdb.path=${join(folder, 'data')}`,
              `--web.listen-address=127.0.0.1:${port}`,
            ]),
          ]
        },
        screenUrl: `http://127.0.0.1:${port}`,
        ...resourcesOf(() => children),
        list: null,
      }
    },
  }
}

/** In JSON, which is YAML, too: as the exporter's documentation puts it before targets. */
function scrapes(urls: string[], exporter: string) {
  return {
    global: { scrape_interval: `${INTERVAL_SECONDS}s`, scrape_timeout: `${TIMEOUT_SECONDS}s` },
    scrape_configs: [
      {
        job_name: 'bench',
        metrics_path: '/probe',
        params: { module: ['http'] },
        static_configs: [{ targets: urls }],
        relabel_configs: [
          { source_labels: ['__address__'], target_label: '__param_target' },
          { source_labels: ['__param_target'], target_label: 'instance' },
          { target_label: '__address__', replacement: exporter },
        ],
      },
    ],
  }
}
