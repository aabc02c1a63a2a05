import { Problem, sayProblem } from '../data/problem.ts'

/**
 * The one line that says why something was refused, for what stands at no field: `shown` are the fields that say
 * their own faults.
 */
export function Refused({ error, shown = [] }: { error: unknown; shown?: readonly string[] }) {
  const said = sayUnshown(error, shown)
  if (said === null) return null
  return (
    <p role="alert" className="text-down">
      {said}
    </p>
  )
}

function sayUnshown(error: unknown, shown: readonly string[]): string | null {
  if (error === null || error === undefined) return null
  const faults = error instanceof Problem ? Object.entries(error.errors) : []
  if (faults.length === 0) return sayProblem(error)
  const unshown = faults.filter(([field]) => !shown.includes(field)).flatMap(([, messages]) => messages)
  return unshown.length > 0 ? `${unshown.join('; ')}.` : null
}
