import { StatusMark } from './status.tsx'

/** Shows by shape and word whether an incident is ongoing or resolved. */
export function IncidentMark({ resolved }: { resolved: boolean }) {
  return <StatusMark named status={resolved ? 'up' : 'down'} word={resolved ? 'Resolved' : 'Ongoing'} />
}
