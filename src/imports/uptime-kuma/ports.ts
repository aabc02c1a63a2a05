import type { MonitorType } from '../../core/monitors/monitor-types.ts'
import { portOfScheme, usesSetting } from '../../core/monitors/monitor-types.ts'
import type { Security } from '../../core/monitors/types/entry.ts'
import { type MonitorFacts, urlOfHost } from '../draft-monitor.ts'
import { type Fields, numberOf, textOf } from '../fields.ts'

/** Without a word, STARTTLS is used where it is offered. */
const SECURITIES: Record<string, Security> = { nostarttls: 'none', starttls: 'starttls' }

/** The place and the TLS of a monitor whose type has a port, of its own or in its URL. */
export function portFacts(
  monitor: Fields,
  type: MonitorType,
  scheme: string,
): Pick<MonitorFacts, 'url' | 'port' | 'security'> {
  const [host, port] = [textOf(monitor.hostname), numberOf(monitor.port)]
  const isSecure = wantsTls(monitor)
  if (usesSetting(type, 'port'))
    return { url: urlOfHost(scheme, host), port, ...(isSecure && { security: 'implicit' }) }
  const spoken = isSecure ? `${type}s` : type
  const security = SECURITIES[textOf(monitor.smtp_security)]
  // Its usual port there, whatever the kind of TLS.
  const written = port ?? portOfScheme(type, type)
  return { url: `${urlOfHost(spoken, host)}:${written}`, ...(security && !isSecure && { security }) }
}

/** TLS from the first byte. */
function wantsTls(monitor: Fields): boolean {
  return textOf(monitor.smtp_security) === 'secure'
}
