import { useSyncExternalStore } from 'react'
import { t } from '../language/language.ts'

export type Theme = 'system' | 'light' | 'dark'

export const THEMES = [
  { value: 'system', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
] as const

const KEY = 'upbeat-theme'
const listeners = new Set<() => void>()

function read(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

/** The selected theme and a function to change it; `system` follows the device. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, read)
  return [theme, choose]
}

/** Dark while a screen is shown that wants it, unless somebody chose a theme; returns what ends it (public/theme.js). */
export function showDark(): () => void {
  if (localStorage.getItem(KEY) !== null) return () => {}
  document.documentElement.dataset.theme = 'dark'
  return () => {
    delete document.documentElement.dataset.theme
  }
}

function choose(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') {
    delete dataset.theme
    localStorage.removeItem(KEY)
  } else {
    dataset.theme = theme
    localStorage.setItem(KEY, theme)
  }
  for (const listener of listeners) listener()
}
