import { asSentence, Problem, sayProblem } from '../../data/problem.ts'
import { sayFaultOf } from '../../language/faults.ts'

/** The reason of a refusal in one line, without the faults of the fields in `shown`, which show their own. */
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
  const faults = error instanceof Problem ? Object.entries(error.faults) : []
  if (faults.length === 0) return sayProblem(error)
  const unshown = faults
    .filter(([field]) => !shown.includes(field))
    .flatMap(([field, messages]) => messages.map((message) => sayFaultOf(message, field)))
  return unshown.length > 0 ? `${asSentence(unshown.join('; '))}.` : null
}
