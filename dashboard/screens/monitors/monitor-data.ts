import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { hasInterval } from '../../../src/core/monitors/monitor-types.ts'
import { intervalSecondsOf, nextTickMs, phaseMs } from '../../../src/core/probing/schedule.ts'
import { type AnswerOf, ask, question } from '../../data/ask.ts'
import type { ReportSearch } from '../../data/history-search.ts'
import type { Zoom } from '../../data/zoom.ts'
import { secondsOf } from '../../parts/charts/rows.ts'
import { sayBefore, stretchBefore, weeksBefore } from './chart/chart-before.ts'
import type { Before } from './chart/chart-model.ts'

export type Monitor = AnswerOf<'getMonitor'>['data']
export type Report = AnswerOf<'getMonitorReport'>['data']
export type Ping = AnswerOf<'listPings'>['data'][number]

const MIN_REFRESH_MS = 10_000
const REFRESH_OF_PAST_MS = 300_000
/** Longer lists are not refetched, so that reading far back is not interrupted. */
const MAX_PAGES_REFRESHED = 2

/** The live stream does not announce a steady "up", so a visible page refetches as often as checks run. */
function refreshMs(monitor: Monitor): number {
  return Math.max(MIN_REFRESH_MS, hasInterval(monitor.type) ? intervalSecondsOf(monitor) * 1_000 : 0)
}

/** The time of the next check, or the one that the next ping is due at; null while paused, and where a schedule is over. */
export function nextDueAt(monitor: Monitor, nowMs: number): string | null {
  if (!monitor.is_active || !hasInterval(monitor.type)) return null
  const intervalMs = intervalSecondsOf(monitor) * 1_000
  if (monitor.type !== 'heartbeat')
    return new Date(nextTickMs(nowMs, intervalMs, phaseMs(monitor.id, intervalMs))).toISOString()
  if (monitor.options?.schedule !== undefined) return monitor.options.next_due_at ?? null
  return new Date(Date.parse(monitor.last_checked_at ?? monitor.created_at) + intervalMs).toISOString()
}

export function useMonitor(team: number, id: number) {
  return useQuery({
    ...question(team, 'getMonitor', { id }),
    refetchInterval: ({ state }) => (state.data ? refreshMs(state.data.data) : false),
  })
}

/** The report of what the address asks for: a range up to now, or a part that was zoomed into, which stays as it is. */
export function reportQuestion(team: number, id: number, { range, region, from, to, line }: ReportSearch) {
  const by = line === 'regions' ? ('region' as const) : undefined
  const stretch = from === undefined || to === undefined ? { range } : stretchQuery({ from, to })
  return question(team, 'getMonitorReport', { id, query: { ...stretch, region, by } })
}

export function useReport(team: number, monitor: Monitor, search: ReportSearch) {
  return useQuery({
    ...reportQuestion(team, monitor.id, search),
    placeholderData: keepPreviousData,
    // Only the figures of uptime go on when the period is over.
    refetchInterval: isOver(search) ? REFRESH_OF_PAST_MS : refreshMs(monitor),
  })
}

function isOver({ to }: ReportSearch): boolean {
  return to !== undefined && to * 1_000 < Date.now()
}

/** The same stretch weeks before, asked for only when it is shown. */
export function useReportBefore(
  team: number,
  monitor: Monitor,
  report: Report | undefined,
  { region, line }: ReportSearch,
): Before | null {
  const isShown = line === 'before'
  const [from, to, stepSeconds] = report
    ? [secondsOf(report.from), secondsOf(report.to), report.step_seconds]
    : [0, 0, 1]
  const before = stretchBefore({ from, to }, stepSeconds)
  const { data } = useQuery({
    ...question(team, 'getMonitorReport', { id: monitor.id, query: { ...stretchQuery(before), region } }),
    enabled: isShown && report !== undefined,
    placeholderData: keepPreviousData,
  })
  const { shiftSeconds } = before
  const weeks = weeksBefore({ from, to })
  return useMemo(
    () => (isShown && data ? { label: `p50, ${sayBefore(weeks)}`, report: data.data, shiftSeconds } : null),
    [isShown, data, weeks, shiftSeconds],
  )
}

function stretchQuery({ from, to }: Zoom) {
  return { from: new Date(from * 1_000).toISOString(), to: new Date(to * 1_000).toISOString() }
}

/** Checks, newest first, page by page. */
export function checksQuestion(team: number, id: number, failed: boolean) {
  const status = failed ? ('down' as const) : undefined
  return infiniteQueryOptions({
    queryKey: [team, 'listCheckDetails', id, { status, paged: true }],
    queryFn: ({ pageParam }) => ask(team, 'listCheckDetails', { id, query: { before: pageParam, status } }),
    initialPageParam: undefined as string | undefined,
    // A filtered page may be short: the service says how far it has searched.
    getNextPageParam: ({ meta }) => meta.next_before ?? undefined,
  })
}

export function useChecks(team: number, monitor: Monitor, failed: boolean) {
  return useInfiniteQuery({
    ...checksQuestion(team, monitor.id, failed),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > MAX_PAGES_REFRESHED ? false : refreshMs(monitor),
  })
}

/** Pings, newest first, page by page. */
export function usePings(team: number, monitor: Monitor) {
  return useInfiniteQuery({
    queryKey: [team, 'listPings', monitor.id, { paged: true }],
    queryFn: ({ pageParam }) => ask(team, 'listPings', { id: monitor.id, query: { before: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_before ?? undefined,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > MAX_PAGES_REFRESHED ? false : refreshMs(monitor),
  })
}
