import type { StatusPostRow } from '../../../src/core/status-pages/shown-post.ts'
import { rich } from '../../language/language.ts'
import { Time } from '../time.tsx'
import { KIND_WORDS } from './post-words.ts'

/** The kind of a post and its times: of maintenance those that are planned. */
export function PostTimes({
  post: { kind, scheduled_for, scheduled_until, started_at, resolved_at },
  saysEnd = false,
}: {
  post: Pick<StatusPostRow, 'kind' | 'scheduled_for' | 'scheduled_until' | 'started_at' | 'resolved_at'>
  /** Also when it was resolved. */
  saysEnd?: boolean
}) {
  const word = KIND_WORDS[kind]
  if (kind === 'maintenance' && scheduled_for && scheduled_until) {
    return rich('{kind}, {from} – {to}', {
      kind: word,
      from: <Time at={scheduled_for} as="date" />,
      to: <Time at={scheduled_until} as="date" />,
    })
  }
  const time = <Time at={started_at} />
  if (!saysEnd || !resolved_at) return rich('{kind}, began {time}', { kind: word, time })
  return rich('{kind}, began {time}, resolved {end}', { kind: word, time, end: <Time at={resolved_at} /> })
}
