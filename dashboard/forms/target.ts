import {
  MONITOR_TYPES,
  type MonitorType,
  schemesOf,
  usualSchemeOf,
} from '../../src/core/monitors/monitor-types.ts'
import { parseTarget } from '../../src/core/monitors/target.ts'

/** A host, with or without port and path, but without a scheme. `localhost:80` matches, `mailto:a@b` does not. */
const BARE = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}_.-]+)(:\d{1,5})?([/?#]\S*)?$/iu

/** Completes a bare host to the full URL that the API expects. Other text stays as typed. */
export function completeUrl(type: MonitorType, typed: string): string {
  const text = typed.trim()
  return MONITOR_TYPES[type].url && BARE.test(text) ? `${usualSchemeOf(type)}://${text}` : text
}

/** A name for a monitor of this URL; empty while the URL is incomplete. */
export function nameOf(url: string): string {
  return parseTarget(url)?.host ?? ''
}

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
