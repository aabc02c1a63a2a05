import type { LiveStatus } from '../../../src/core/monitors/status.ts'
import { Since } from '../time.tsx'
import { StatusMark } from './status.tsx'

/** The trouble of one record, in a line of a list. */
export function InTrouble({
  status,
  name,
  reason,
  since,
}: {
  status: LiveStatus
  name: string
  reason: string | null
  since: string
}) {
  return (
    <>
      <span className="pt-0.5">
        <StatusMark status={status} size={18} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{name}</span>
        <span className="block text-soft break-words">{reason}</span>
      </span>
      <span className="text-right text-sm text-soft">
        <Since at={since} />
      </span>
    </>
  )
}
