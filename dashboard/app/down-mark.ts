import { useEffect } from 'react'
import { downOf } from '../../src/core/overview/counts.ts'
import { sayCount } from '../language/count.ts'
import { t } from '../language/language.ts'
import { useTitleMark } from '../parts/page-title.ts'
import { useCounted } from './use-counted.ts'

const ICON = '/icon.svg'
const MAX_SHOWN = 99

/** The icon of the browser's tab with a number on it, as a data URL: the policy of the page allows such images. */
export function numberedIcon(count: number): string {
  const text = count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
  // Two digits fit beside each other in this size, and three in half of it.
  const size = { 1: 25, 2: 21 }[text.length] ?? 15
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#c2271d"/><text x="16" y="17" fill="#fff" font-family="sans-serif" font-size="${size}" font-weight="700" text-anchor="middle" dominant-baseline="central">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Shows a number on the icon of the tab, above 0. */
function useTabIcon(count: number): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || count === 0) return
    link.href = numberedIcon(count)
    return () => {
      link.href = ICON
    }
  }, [count])
}

/** Says in the browser's tab, on every screen of a team, how many subjects are down. */
export function DownMark({ team }: { team: number }) {
  const down = downOf(useCounted(team))
  useTitleMark('down', down > 0 ? t('{count} down', { count: sayCount(down) }) : null)
  useTabIcon(down)
  return null
}
