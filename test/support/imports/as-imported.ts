import { type Assertion, judgesStatus } from '../../../src/core/expectations/assertion.ts'
import { judge } from '../../../src/core/expectations/evaluate.ts'
import type { DeclaredMonitor } from '../../../src/core/monitors/declaration.ts'
import { DEFAULT_STATUS_CODES, MIN_STATUS_CODE } from '../../../src/core/monitors/monitor.ts'
import { usesSetting } from '../../../src/core/monitors/monitor-types.ts'
import type { SeenAnswer } from './as-gatus-judges.ts'

/** Whether an imported monitor is up for an answer, by the evaluator of checks. */
export function isUpFor(monitor: DeclaredMonitor, answer: SeenAnswer): boolean {
  const { status, body, headers = {}, ms = 0, certificateDays } = answer
  const assertions = monitor.options?.assertions ?? []
  const codes = monitor.expected_status_codes ?? DEFAULT_STATUS_CODES
  if (!judgesStatus(assertions) && !codes.includes(status)) return false
  if (monitor.expected_keyword && !body.includes(monitor.expected_keyword)) return false
  const unmet = judge(assertions, {
    statusCode: status,
    header: (name) => headers[name.toLowerCase()] ?? null,
    body,
    responseTimeMs: ms,
    certificateDays: certificateDays === undefined ? null : Math.floor(certificateDays),
    answer: null,
  })
  return unmet === null
}

/** The expectations of a monitor, as docs/moving-in.md writes them. That any status passes is not worth a word. */
export function askedBy(monitor: DeclaredMonitor): string[] {
  const assertions = monitor.options?.assertions ?? []
  const isWeb = usesSetting(monitor.type, 'expected_status_codes')
  const codes = isWeb && !judgesStatus(assertions) ? (monitor.expected_status_codes ?? []) : []
  return [
    ...(codes.length > 0 ? [`expected_status_codes ${codes.join(', ')}`] : []),
    ...(monitor.expected_keyword ? [`expected_keyword ${JSON.stringify(monitor.expected_keyword)}`] : []),
    ...assertions.filter((each) => !takesAny(each)).map(inWords),
  ]
}

function takesAny({ source, comparison, target }: Assertion): boolean {
  return source === 'status_code' && comparison === 'at_least' && target === MIN_STATUS_CODE
}

function inWords({ source, property, comparison, target }: Assertion): string {
  const parts = [source, property, comparison, target === undefined ? undefined : JSON.stringify(target)]
  return parts.filter((part) => part !== undefined).join(' ')
}
