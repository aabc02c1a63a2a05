import { WifiOff } from 'lucide-react'
import { useTitleMark } from '../parts/page-title.ts'
import { TimeOfDay } from '../parts/time.tsx'

/** Warns that the screen below is out of date. It stays in sight, and so does the mark in the browser's tab. */
export function NoConnection({ since }: { since: number | null }) {
  useTitleMark(since === null ? null : 'No connection')
  return (
    <div role="status" className="sticky top-14 z-10 lg:top-0">
      {since !== null && (
        <p className="flex items-center gap-2.5 border-b border-degraded bg-panel px-4 py-2.5 sm:px-6 lg:px-8">
          <WifiOff aria-hidden size={18} className="shrink-0 text-degraded" />
          <span>
            No connection since <TimeOfDay at={new Date(since)} />. Retrying…
          </span>
        </p>
      )}
    </div>
  )
}
