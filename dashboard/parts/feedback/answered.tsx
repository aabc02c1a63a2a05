import type { ReactNode } from 'react'
import { Waiting } from '../panel.tsx'
import { Refused } from './refused.tsx'
import { Trouble } from './trouble.tsx'

/** An answer in its box: lines while it is on its way, the reason where none came, and its content once it is there. */
export function Answered<Answer>({
  answer: { data, error },
  lines = 3,
  isWhole = false,
  children,
}: {
  answer: { data: Answer | undefined; error: unknown }
  /** About as many as the content is high. */
  lines?: number
  /** The screen has little else, so that the reason comes with what to do about it. */
  isWhole?: boolean
  children: (data: Answer) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (!error) return <Waiting lines={lines} />
  return isWhole ? (
    <Trouble error={error} within />
  ) : (
    <div className="p-4">
      <Refused error={error} />
    </div>
  )
}
