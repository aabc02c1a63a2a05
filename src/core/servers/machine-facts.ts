import type { Machine } from './machine-report.ts'

/** The facts of a machine, with those that this part of a report did not have as they were told before. */
export function withFactsBefore(now: Machine, before: Machine | null): Machine {
  if (before === null || before.source !== now.source) return now
  const facts = Object.entries(now).map(([fact, value]) => [fact, value ?? before[fact as keyof Machine]])
  return Object.fromEntries(facts) as Machine
}
