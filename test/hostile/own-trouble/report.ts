import { describeMachine } from '../report.ts'
import { judgeScene, nameOf, seconds } from './judge-scene.ts'
import { ROWS } from './rows.ts'
import type { Findings, Told } from './run.ts'
import type { Plan, Victim } from './world.ts'

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
    ...all.map((findings) => lineOf(plan, findings)),
    ...impossible.map((name) => `| ${name} | not possible on this machine |`),
    '',
    ...all.flatMap(faultsOf).map((text) => `- ${text}`),
  ].join('\n')
}

function lineOf(plan: Plan, findings: Findings): string {
  const { scene, lastedMs, falseIncidents, falseAlerts, notices, pending, victims, told } = findings
  const cells = [
    scene.row.isMeasured ? `${scene.row.name} (a figure)` : scene.row.name,
    scene.stage.beside,
    `${seconds(lastedMs)} s`,
    falseIncidents.length,
    falseAlerts,
    notices.length,
    pending,
    ...plan.failing.map((how) =>
      victims.flatMap((victim, i) => (victim.how === how ? [whenTold(victim, told[i])] : [])).join(', '),
    ),
  ]
  return `| ${cells.join(' | ')} |`
}

function whenTold({ family }: Victim, told: Told | null | undefined): string {
  const of = family === 4 ? '' : 'IPv6 '
  if (!told) return `${of}not told`
  const { afterEndMs, afterFailingMs } = told
  return afterEndMs > 0 ? `${of}${seconds(afterEndMs)} s` : `${of}at once (${seconds(afterFailingMs)} s)`
}

/** The faults of a trouble in words, as far as they are worth saying. */
export function faultsOf(findings: Findings): string[] {
  const faults = judgeScene(findings)
  const rest = faults.length - MAX_FAULTS_NAMED
  const named = faults.slice(0, MAX_FAULTS_NAMED)
  return (rest > 0 ? [...named, `and ${rest} more`] : named).map((text) => `${nameOf(findings)}: ${text}`)
}
