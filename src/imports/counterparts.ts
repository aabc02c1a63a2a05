import { CONTACT_TYPES, ContactType } from '../core/alerting/contact-types.ts'
import { MONITOR_TYPES, MonitorType } from '../core/monitors/monitor-types.ts'
import type { ImportKind } from './kinds.ts'

type Elsewhere = Partial<Record<ImportKind, readonly string[]>>

/** The types of monitors by the names that another service uses. */
export function monitorTypesOf(service: ImportKind): Record<string, MonitorType> {
  return byName(MonitorType.options, (type) => MONITOR_TYPES[type].elsewhere, service)
}

/** The types of contacts by the names that another service uses. */
export function contactTypesOf(service: ImportKind): Record<string, ContactType> {
  return byName(ContactType.options, (type) => CONTACT_TYPES[type].elsewhere, service)
}

function byName<Type extends string>(
  types: readonly Type[],
  elsewhereOf: (type: Type) => Elsewhere,
  service: ImportKind,
): Record<string, Type> {
  return Object.fromEntries(
    types.flatMap((type) => (elsewhereOf(type)[service] ?? []).map((name) => [name, type])),
  )
}
