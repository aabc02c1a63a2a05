import { question } from '../../data/ask.ts'

/** They change by the hour, and reading them costs more than the rest of the overview. */
const EVERY_MS = 300_000

export function figuresQuestion(team: number) {
  return { ...question(team, 'getTeamFigures', {}), staleTime: EVERY_MS, refetchInterval: EVERY_MS }
}
