import { MONITOR_TYPES, type MonitorType } from '../../../src/core/monitors/monitor-types.ts'

export function typeWord(type: MonitorType): string {
  return MONITOR_TYPES[type].word
}
