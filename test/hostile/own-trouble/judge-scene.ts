import { FAILURES } from './far-side.ts'
import type { Findings } from './run.ts'

const SECOND_MS = 1_000

/** The faults of a trouble, as sentences; none when it is right. Speed is not judged. */
export function judgeScene({ scene, falseIncidents, falseAlerts, notices, told }: Findings): string[] {
  const { row } = scene
  const wrong = falseIncidents.map(
    ({ name, cause, afterBeginMs }) => `${name} was called down after ${seconds(afterBeginMs)} s: ${cause}`,
  )
  if (falseAlerts > 0) wrong.push(`${falseAlerts} false alerts`)
  const expected = row.isNoticed ? 1 : 0
  if (row.isNoticed !== null && notices.length !== expected)
    wrong.push(`${notices.length} notices in the place of ${expected}: ${notices.join(' | ')}`)
  if (told.includes(null)) wrong.push('a target that failed was not told, or before it failed')
  for (const { victim, cause, undecided, afterEndMs } of told.filter((one) => one !== null)) {
    if (!FAILURES[victim.how].cause.test(cause)) wrong.push(`${victim.name} was told as: ${cause}`)
    if (row.judges?.includes(victim.family) && undecided > 0 && (afterEndMs > 0 || row.name === 'nothing'))
      wrong.push(`${victim.name} was not judged ${undecided} times`)
  }
  return wrong
}

/** Whether the run fails by it. */
export function isFault(findings: Findings): boolean {
  return !findings.scene.row.isMeasured && judgeScene(findings).length > 0
}

export function nameOf({ scene: { row, stage } }: Findings): string {
  return stage.beside === 'nothing' ? row.name : `${row.name}, beside ${stage.beside}`
}

export function seconds(ms: number): string {
  return (ms / SECOND_MS).toFixed(1)
}
