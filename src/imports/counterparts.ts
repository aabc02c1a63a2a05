import { CONTACT_TYPES, ContactType } from '../core/alerting/contact-types.ts'
import { MONITOR_TYPES, MonitorType } from '../core/monitors/monitor-types.ts'
import type { ImportKind } from '../core/moving-in/kinds.ts'

type ImportNames = Partial<Record<ImportKind, readonly string[]>>

/** Monitor types by their names in the exports of another service. */
export function monitorTypesOf(service: ImportKind): Record<string, MonitorType> {
  return byName(MonitorType.options, (type) => MONITOR_TYPES[type].importNames, service)
}

/** Contact types by their names in the exports of another service. */
export function contactTypesOf(service: ImportKind): Record<string, ContactType> {
  return byName(ContactType.options, (type) => CONTACT_TYPES[type].importNames, service)
}

function byName<Type extends string>(
  types: readonly Type[],
  namesOf: (type: Type) => ImportNames,
  service: ImportKind,
): Record<string, Type> {
  return Object.fromEntries(
    types.flatMap((type) => (namesOf(type)[service] ?? []).map((name) => [name, type])),
  )
}
