import { type MonitorType, schemesOf } from '../../src/core/monitors/monitor-types.ts'
import { parseTarget } from '../../src/core/monitors/target.ts'

/** The port of a URL, as text. */
export function portOf(url: string): string {
  return parseTarget(url)?.port ?? ''
}

/** The http version of an https URL whose host is an IP address or localhost; null for any other URL. */
export function plainUrlOf(type: MonitorType, url: string): string | null {
  if (!schemesOf(type)?.includes('http') || !/^https:/i.test(url)) return null
  const host = parseTarget(url)?.hostname ?? ''
  const isBare = host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host) || host === 'localhost'
  return isBare ? url.replace(/^https/i, 'http') : null
}
