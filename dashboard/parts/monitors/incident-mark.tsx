import { t } from '../../language/language.ts'
import { StatusMark } from './status.tsx'

/** Shows by shape and word whether an incident is ongoing or resolved. */
export function IncidentMark({ resolved, warnsOnly = false }: { resolved: boolean; warnsOnly?: boolean }) {
  if (resolved) return <StatusMark named status="up" word={t('Resolved')} />
  return (
    <StatusMark
      named
      status={warnsOnly ? 'degraded' : 'down'}
      word={warnsOnly ? t('Warning') : t('Ongoing')}
    />
  )
}
