import { describeMachine } from '../report.ts'
import { judgeScene, nameOf, seconds } from './judge-scene.ts'
import { ROWS } from './rows.ts'
import type { Findings } from './run.ts'
import type { Plan } from './world.ts'

/** More of the same says nothing more. */
const MAX_FAULTS_NAMED = 6

/** The table of own trouble as Markdown, with what was wrong below it. */
export function renderTable(plan: Plan, all: Findings[]): string {
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const ways = plan.failing.map((how) => `One that ${how}: told after the end`)
  const impossible = ROWS.filter(({ isPossible }) => isPossible && !isPossible()).map(({ name }) => name)
  return [
    `${at} UTC, ${describeMachine()}. ${plan.monitors} healthy monitors, interval ${plan.intervalSeconds} s, time-out ${plan.timeoutSeconds} s.`,
    '',
    `| Trouble | Beside | Lasted | False incidents | False alerts | Notices | Not judged | ${ways.join(' | ')} |`,
    `|---|---|---:|---:|---:|---:|---:|${ways.map(() => '---:|').join('')}`,
    ...all.map(lineOf),
    ...impossible.map((name) => `| ${name} | not possible on this machine |`),
    '',
    ...all.flatMap(faultsOf).map((text) => `- ${text}`),
  ].join('\n')
}

function lineOf({ scene, lastedMs, falseIncidents, falseAlerts, notices, pending, told }: Findings): string {
  const cells = [
    scene.row.isMeasured ? `${scene.row.name} (a figure)` : scene.row.name,
    scene.stage.beside,
    `${seconds(lastedMs)} s`,
    falseIncidents.length,
    falseAlerts,
    notices.length,
    pending,
    ...told.map((one) => {
      if (one === null) return 'not told'
      return one.afterEndMs > 0
        ? `${seconds(one.afterEndMs)} s`
        : `at once (${seconds(one.afterFailingMs)} s)`
    }),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The faults of a trouble in words, as far as they are worth saying. */
export function faultsOf(findings: Findings): string[] {
  const faults = judgeScene(findings)
  const rest = faults.length - MAX_FAULTS_NAMED
  const named = faults.slice(0, MAX_FAULTS_NAMED)
  return (rest > 0 ? [...named, `and ${rest} more`] : named).map((text) => `${nameOf(findings)}: ${text}`)
}
