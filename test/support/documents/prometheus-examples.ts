import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const PROMETHEUS_EXAMPLES = join(import.meta.dirname, '../../../examples/prometheus')

type Panel = {
  id: number
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string }[]
}

/** The dashboards of Grafana. */
export function readGrafanaDashboards(): Promise<{ panels: Panel[]; templating: object }[]> {
  const read = async (name: string) => JSON.parse(await readFile(join(PROMETHEUS_EXAMPLES, name), 'utf8'))
  return Promise.all(['grafana-instance.json', 'grafana-team.json'].map(read))
}
