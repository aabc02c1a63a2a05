import { t } from '../language/language.ts'

export type Doing = 'find' | 'filter' | 'next' | 'previous' | 'wallboard' | 'help'

type Shortcut = {
  /** As a keyboard shows it, in the help and in docs/dashboard.md. */
  shown: string
  label: string
  /** The `key` of its event and what it does; the browser handles a shortcut without. */
  key?: string
  does?: Doing
  /** Pressed with Ctrl or ⌘, and then also while somebody types. */
  isCommand?: boolean
}

export const FIND = {
  shown: 'Ctrl K',
  label: t('Find a monitor, server, site or action'),
  key: 'k',
  does: 'find',
  isCommand: true,
} as const satisfies Shortcut

/** Every shortcut of a team's screens: the handling and the help derive from this list. */
export const SHORTCUTS: readonly Shortcut[] = [
  FIND,
  { shown: '/', label: t('Search or filter a list'), key: '/', does: 'filter' },
  { shown: 'J', label: t('Next row of a list'), key: 'j', does: 'next' },
  { shown: 'K', label: t('Previous row'), key: 'k', does: 'previous' },
  { shown: 'Enter', label: t('Open the row') },
  { shown: 'W', label: t('Open the wallboard'), key: 'w', does: 'wallboard' },
  { shown: 'Escape', label: t('Close a dialog, a menu or the finder') },
  { shown: '?', label: t('Show this list'), key: '?', does: 'help' },
]

/** Those that work with no other key held. */
export const SINGLE_KEYS = SHORTCUTS.flatMap(({ shown, does, isCommand }) =>
  does && !isCommand ? [shown] : [],
)

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean }

/** The action of a pressed key. Keys that stand alone do nothing while `isTaken`: typing needs them, or a menu. */
export function shortcutOf(pressed: Pressed, isTaken: boolean): Doing | undefined {
  const hasCommand = pressed.ctrlKey || pressed.metaKey
  const key = pressed.key.toLowerCase()
  if (pressed.altKey || (isTaken && !hasCommand)) return undefined
  // Many keyboards have `?` and `/` on a shifted key.
  if (pressed.shiftKey && /^[a-z]$/.test(key)) return undefined
  return SHORTCUTS.find((one) => one.key === key && (one.isCommand ?? false) === hasCommand)?.does
}

/** The keys of a shortcut on this machine. */
export function keysOf({ shown, isCommand }: Shortcut): string {
  return isCommand && isMac() ? shown.replace('Ctrl ', '⌘') : shown
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/** The classes of a `<kbd>`. */
export const KEY_LOOK = 'rounded border border-line px-1.5 font-sans text-xs'
