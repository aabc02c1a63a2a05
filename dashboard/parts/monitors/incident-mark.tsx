import { StatusMark } from './status.tsx'

/** Whether an incident goes on or is over, by shape and word. */
export function IncidentMark({ resolved }: { resolved: boolean }) {
  return <StatusMark named status={resolved ? 'up' : 'down'} word={resolved ? 'Resolved' : 'Ongoing'} />
}
