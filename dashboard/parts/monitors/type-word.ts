import { MONITOR_TYPES, type MonitorType } from '../../../src/core/monitors/monitor-types.ts'
import { t } from '../../language/language.ts'

export function typeWord(type: MonitorType): string {
  return t(MONITOR_TYPES[type].word)
}
