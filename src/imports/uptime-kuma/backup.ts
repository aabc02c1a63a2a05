import { said } from '../../core/language/said.ts'
import { type Fields, isFields, isOn, numberOf, recordsOf } from '../fields.ts'
import { WrongFile } from '../outcome.ts'
import type { KumaExport } from './uptime-kuma.ts'
import type { KumaWindows } from './windows.ts'

/** Reads the JSON of Settings → Backup, which versions up to 1.23 write. Throws a WrongFile. */
export function readKumaBackup(document: unknown): KumaExport {
  if (!isFields(document) || !Array.isArray(document.monitorList)) {
    throw new WrongFile(
      said('it has no "monitorList": it takes the backup of Uptime Kuma 1.x, or its kuma.db'),
    )
  }
  const monitors = recordsOf(document.monitorList)
  return {
    monitors,
    notifications: recordsOf(document.notificationList),
    attached: monitors.flatMap((monitor) => attachedTo(monitor)),
    tags: monitors.flatMap((monitor) =>
      recordsOf(monitor.tags).map(({ name, value }) => ({
        ...{ monitorId: numberOf(monitor.id) ?? Number.NaN, name, value },
      })),
    ),
    baseUrl: '',
    warningDays: [],
    windows: monitors.some((monitor) => 'maintenance' in monitor) ? null : NO_WINDOWS,
    pages: null,
    proxies: recordsOf(document.proxyList),
    dockerHosts: [],
    others: {},
  }
}

/** A version before there were any has none; its monitors do not say that they are under maintenance. */
const NO_WINDOWS: KumaWindows = { maintenances: [], covered: [], onPages: [], serverZone: '' }

function attachedTo(monitor: Fields): KumaExport['attached'] {
  const monitorId = numberOf(monitor.id) ?? Number.NaN
  return Object.entries(isFields(monitor.notificationIDList) ? monitor.notificationIDList : {})
    .filter(([, on]) => isOn(on))
    .map(([id]) => ({ monitorId, notificationId: Number(id) }))
}
