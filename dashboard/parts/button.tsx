import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes } from 'react'

const TONES = {
  main: 'bg-accent text-on-accent border-transparent shadow-panel hover:opacity-90',
  plain: 'bg-panel text-ink border-edge shadow-panel hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-panel text-down border-edge shadow-panel hover:bg-sunken',
} as const

const SIZES = { usual: 'h-10 px-3.5 max-md:min-h-[44px]', small: 'h-9 px-2.5 text-sm' } as const

export type Tone = keyof typeof TONES

/** The classes of a button, for links that look like one. */
export function buttonLook(tone: Tone = 'plain', size: keyof typeof SIZES = 'usual'): string {
  return `inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap disabled:opacity-50 aria-disabled:opacity-50 ${TONES[tone]} ${SIZES[size]}`
}

export function Button({
  tone,
  size,
  busy = false,
  children,
  className = '',
  onClick,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { tone?: Tone; size?: keyof typeof SIZES; busy?: boolean }) {
  return (
    <button
      type="button"
      className={`${buttonLook(tone, size)} ${className}`}
      aria-busy={busy}
      // Not disabled while busy: a disabled button loses the focus.
      aria-disabled={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

/** A small button with an icon. */
export function Tool({
  label,
  icon: Icon,
  disabled,
  onPress,
}: {
  label: string
  icon: LucideIcon
  disabled: boolean
  onPress: () => void
}) {
  return (
    <Button size="small" tone="quiet" aria-label={label} title={label} disabled={disabled} onClick={onPress}>
      <Icon aria-hidden size={16} />
    </Button>
  )
}

export function Spinner() {
  return (
    <span
      aria-hidden
      className="size-4 motion-safe:animate-spin rounded-full border-2 border-current border-r-transparent opacity-70"
    />
  )
}
