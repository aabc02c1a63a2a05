import type { StressRun } from './run-once.ts'

/** A line for each run, as Markdown. */
export function stressTable(runs: (StressRun & { says: string })[]): string {
  const rows = runs.map(
    (run, i) =>
      `| ${i + 1} | ${run.says} | ${Math.round(run.wallSeconds)} | ${Math.round(run.cpuSeconds)} | ${resultOf(run)} |`,
  )
  return ['| run | beside or on | s | CPU s | result |', '|--:|---|--:|--:|---|', ...rows].join('\n')
}

/** The tests that failed, by the summary of the run, which repeats each. */
function resultOf({ code, output }: StressRun): string {
  if (code === 0) return /^Everything passed: ([\d,]+ tests?)/m.exec(output)?.[1] ?? 'passed'
  const failed = new Set([...output.matchAll(/^✖ (test\S+ {2}.*)$/gm)].map(([, name]) => name))
  return failed.size > 0 ? `failed: ${[...failed].join('; ')}` : `exit code ${code}`
}
