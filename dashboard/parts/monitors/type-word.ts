import type { MonitorType } from '../../../src/core/monitors/monitor.ts'

const WORDS = {
  http: 'HTTP',
  keyword: 'Keyword',
  ssl: 'Certificate',
  tcp: 'TCP port',
  icmp: 'Ping',
  heartbeat: 'Heartbeat',
} as const satisfies Record<MonitorType, string>

export function typeWord(type: MonitorType): string {
  return WORDS[type]
}
