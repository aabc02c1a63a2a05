import { describeMachine } from '../report.ts'
import { ROWS } from './rows.ts'
import { judgeRow, type RowFindings, seconds } from './run.ts'
import type { Plan } from './world.ts'

/** The table of own trouble as Markdown, with what was wrong below it. */
export function renderTable(plan: Plan, all: RowFindings[]): string {
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const ways = plan.failing.map((how) => `One that ${how}: told after the end`)
  const wrong = all.flatMap((findings) => judgeRow(findings).map((text) => `- ${findings.row.name}: ${text}`))
  const impossible = ROWS.filter(({ isPossible }) => isPossible && !isPossible()).map(({ name }) => name)
  return [
    `${at} UTC, ${describeMachine()}. ${plan.monitors} healthy monitors, time-out ${plan.timeoutSeconds} s.`,
    '',
    `| Trouble | Lasted | False incidents | False alerts | Notices | Not judged | ${ways.join(' | ')} |`,
    `|---|---:|---:|---:|---:|---:|${ways.map(() => '---:|').join('')}`,
    ...all.map(rowOf),
    ...impossible.map((name) => `| ${name} | not possible on this machine |`),
    '',
    ...wrong,
  ].join('\n')
}

function rowOf({ row, lastedMs, falseIncidents, falseAlerts, notices, pending, told }: RowFindings): string {
  const cells = [
    row.name,
    `${seconds(lastedMs)} s`,
    falseIncidents.length,
    falseAlerts,
    notices.length,
    pending,
    ...told.map(({ afterEndMs, afterFailingMs }) =>
      afterEndMs > 0 ? `${seconds(afterEndMs)} s` : `at once (${seconds(afterFailingMs)} s)`,
    ),
  ]
  return `| ${cells.join(' | ')} |`
}
